"""There is no viewer: launching one raises NotImplementedError."""


from typing import Any, Callable, NoReturn


def _refuse(name: str) -> Callable[..., NoReturn]:
    def launch(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(f"sinew has no viewer: {name} is not available")

    launch.__name__ = name
    return launch


launch = _refuse("launch")
launch_passive = _refuse("launch_passive")
launch_from_path = _refuse("launch_from_path")
