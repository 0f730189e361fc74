"""What the server answers, as data with types. Names are those of the contract, written as Python writes them."""

from .boards import *
from .common import *
from .devices import *
from .files import *
from .identity import *
from .packages import *
from .panels import *
