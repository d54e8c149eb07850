/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The chapters below every command, lowest first; what only some need is included by them.
 */
#ifndef PCL_INTERNAL_H
#define PCL_INTERNAL_H

#include "base/base.h"
#include "base/option.h"
#include "event/event.h"
#include "commands.h"

#endif /* PCL_INTERNAL_H */
