"""There is no viewer: launching one refuses, and says so."""


def _refuse(name):
    def launch(*args, **kwargs):
        raise NotImplementedError(f"sinew has no viewer: {name} is not there")

    launch.__name__ = name
    return launch


launch = _refuse("launch")
launch_passive = _refuse("launch_passive")
launch_from_path = _refuse("launch_from_path")
