/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors of the file server (9P2000.L) as the guest numbers them.
 *
 * Concepts: the protocol's errors are Linux's, and the client takes a number as
 * it comes. But Linux for SPARC has numbers of its own from 35 on, SunOS's, and
 * takes "not supported" for another error. Below: what a file system answers.
 * The numbers are those of arch/sparc/include/uapi/asm/errno.h in Linux.
 *
 * Contexts: the main loop, a coroutine of hw/9pfs.
 *
 * Locks: none.
 */
#ifndef SPARC_GUEST_ERRNO_H
#define SPARC_GUEST_ERRNO_H

#include <errno.h>

static inline int guest_errno(int err)
{
    switch (err) {
    case EDEADLK:
        return 78;
    case ENAMETOOLONG:
        return 63;
    case ENOLCK:
        return 79;
    case ENOSYS:
        return 90;
    case ENOTEMPTY:
        return 66;
    case ELOOP:
        return 62;
    case ENODATA:
        return 111;
    case EOVERFLOW:
        return 92;
    case EILSEQ:
        return 122;
    case EOPNOTSUPP:
        return 45;
    case ETIMEDOUT:
        return 60;
    case ESTALE:
        return 70;
    case EDQUOT:
        return 69;
    default:
        return err;
    }
}

#endif
