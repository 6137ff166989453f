"""Written by python/tools/stubs.py."""

import types

import numpy as np

from . import _sinew as _sinew
from . import minimize as minimize
from . import rollout as rollout
from . import spec as spec
from . import viewer as viewer
from ._constants import *
from ._enums import *
from ._files import *
from ._log import *
from ._print import *
from ._render import *
from ._sinew import *
from ._support import *
from ._util import *
from ._elements import *
from .spec import *
from ._sinew import _MjModelActuatorViews as _MjModelActuatorViews
from ._sinew import _MjModelBodyViews as _MjModelBodyViews
from ._sinew import _MjModelCameraViews as _MjModelCameraViews
from ._sinew import _MjModelEqualityViews as _MjModelEqualityViews
from ._sinew import _MjModelExcludeViews as _MjModelExcludeViews
from ._sinew import _MjModelGeomViews as _MjModelGeomViews
from ._sinew import _MjModelHfieldViews as _MjModelHfieldViews
from ._sinew import _MjModelJointViews as _MjModelJointViews
from ._sinew import _MjModelLightViews as _MjModelLightViews
from ._sinew import _MjModelMaterialViews as _MjModelMaterialViews
from ._sinew import _MjModelMeshViews as _MjModelMeshViews
from ._sinew import _MjModelNumericViews as _MjModelNumericViews
from ._sinew import _MjModelPairViews as _MjModelPairViews
from ._sinew import _MjModelSensorViews as _MjModelSensorViews
from ._sinew import _MjModelSiteViews as _MjModelSiteViews
from ._sinew import _MjModelSkinViews as _MjModelSkinViews
from ._sinew import _MjModelTendonViews as _MjModelTendonViews
from ._sinew import _MjModelTextureViews as _MjModelTextureViews
from ._sinew import _MjModelTextViews as _MjModelTextViews
from ._sinew import _MjModelTupleViews as _MjModelTupleViews
from ._sinew import _MjModelKeyframeViews as _MjModelKeyframeViews
from ._sinew import _MjDataActuatorViews as _MjDataActuatorViews
from ._sinew import _MjDataBodyViews as _MjDataBodyViews
from ._sinew import _MjDataCameraViews as _MjDataCameraViews
from ._sinew import _MjDataGeomViews as _MjDataGeomViews
from ._sinew import _MjDataJointViews as _MjDataJointViews
from ._sinew import _MjDataLightViews as _MjDataLightViews
from ._sinew import _MjDataSensorViews as _MjDataSensorViews
from ._sinew import _MjDataSiteViews as _MjDataSiteViews
from ._sinew import _MjDataTendonViews as _MjDataTendonViews

__version__: str
MJTNUM_DTYPE = np.float64

def install_as_mujoco() -> types.ModuleType: ...
