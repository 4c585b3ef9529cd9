"""Environment variables of an installation: declarations, reader and generated reference."""

from referee.environment.kinds import MailServer
from referee.environment.reader import EnvironmentFault, read_environment
from referee.environment.variables import Environment

__all__ = ["Environment", "EnvironmentFault", "MailServer", "read_environment"]
