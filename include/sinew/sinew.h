#pragma once

// Everything that is public.

#include "sinew/batch.h"
#include "sinew/constants.h"
#include "sinew/contact.h"
#include "sinew/data.h"
#include "sinew/edit.h"
#include "sinew/enums.h"
#include "sinew/error.h"
#include "sinew/load.h"
#include "sinew/model.h"
#include "sinew/model_file.h"
#include "sinew/options.h"
#include "sinew/query.h"
#include "sinew/rollout.h"
#include "sinew/spec.h"
#include "sinew/state.h"
#include "sinew/step.h"
#include "sinew/support.h"
#include "sinew/version.h"
#include "sinew/visual.h"
#include "sinew/write.h"
