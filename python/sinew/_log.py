"""Messages to the user, and their destination: MuJoCo's log functions.

The engine itself writes no log: it counts warnings in data.warning and passes them to the mju_user_warning callback. The
time of compilations is logged if its topic is enabled.
"""

from __future__ import annotations

import copy
import datetime
import sys
from dataclasses import dataclass

import sinew._sinew as _sinew
from sinew._enums import mjtLogLevel, mjtLogTopic

__all__ = [
    "MjLogConfig", "MjLogMessage", "mju_getLogConfig", "mju_setLogConfig", "mju_message", "mju_info", "mju_writeLog",
]  # fmt: skip


@dataclass
class MjLogConfig:
    """Where messages go."""

    logto_console: bool = True
    logto_file: bool = True
    logfile: str = "MUJOCO_LOG.TXT"  # in the working directory; empty: none
    topics: int = 0  # bit mask of enabled topics: 1 << (mjtLogTopic - 1)

    @staticmethod
    def get() -> MjLogConfig:
        """A copy of the current settings."""
        return mju_getLogConfig()

    def set(self) -> None:
        """Makes these the current settings."""
        mju_setLogConfig(self)


@dataclass
class MjLogMessage:
    """One message."""

    level: int = mjtLogLevel.mjLOG_INFO
    topic: int = mjtLogTopic.mjTOPIC_NONE
    subject: str = ""
    body: str = ""
    func: str = ""
    file: str = ""
    line: int = 0
    timestamp: bool = True

    @property
    def text(self) -> str:
        """function: subject, followed by the body."""
        head = f"{self.func}: {self.subject}" if self.func else self.subject
        return f"{head}\n{self.body}" if self.body else head


_present = MjLogConfig()


def mju_getLogConfig() -> MjLogConfig:
    """A copy of the log settings."""
    return copy.copy(_present)


def mju_setLogConfig(config: MjLogConfig) -> None:
    """Sets where messages go."""
    global _present
    if not isinstance(config, MjLogConfig):
        raise TypeError("config must be an MjLogConfig")
    _present = copy.copy(config)
    timed = _present.topics >> (mjtLogTopic.mjTOPIC_TIME_CMP - 1) & 1
    _sinew._report_compile_time(_tell_compile_time if timed else None)


def _tell_compile_time(seconds: float) -> None:
    mju_info(mjtLogTopic.mjTOPIC_TIME_CMP, f"compile time: {1e3 * seconds:.3g} ms")


def _write(kind: str, text: str, timestamp: bool = True) -> None:
    if not _present.logfile:
        return
    date = f"{datetime.datetime.now():%a %b %d %H:%M:%S %Y}\n" if timestamp else ""
    with open(_present.logfile, "a", encoding="utf-8") as file:
        file.write(f"{date}{kind}: {text}\n\n")


def mju_message(msg: MjLogMessage) -> None:
    """Logs a message to the console and the file. A message of level error is then raised as a FatalError."""
    if not isinstance(msg, MjLogMessage):
        raise TypeError("msg must be an MjLogMessage")
    level = mjtLogLevel(msg.level)
    enabled = level >= mjtLogLevel.mjLOG_WARNING or msg.topic <= 0 or _present.topics >> (msg.topic - 1) & 1
    if not enabled:
        return
    kind = level.name.removeprefix("mjLOG_")
    if _present.logto_file:
        _write(kind, msg.text, msg.timestamp)
    if level >= mjtLogLevel.mjLOG_ERROR:
        raise _sinew.FatalError(msg.text)
    if _present.logto_console:
        print(f"{kind}: {msg.text}", file=sys.stdout if level < mjtLogLevel.mjLOG_WARNING else sys.stderr)


def mju_info(topic: int, msg: str) -> None:
    """Logs a message on a topic (mjtLogTopic); topic 0 is always enabled."""
    if not isinstance(msg, str):
        raise TypeError("msg must be a str")
    mju_message(MjLogMessage(topic=mjtLogTopic(topic), subject=msg))


def mju_writeLog(type: str, msg: str) -> None:
    """Appends the date and "type: msg" to the log file."""
    if not isinstance(type, str) or not isinstance(msg, str):
        raise TypeError("type and msg must be str")
    _write(type, msg)
