/* A hand in every call that changes files below one folder.

   Loaded with LD_PRELOAD, asleep until faults_arm() is called in the process that is to meet a
   fault. From then on it counts what changes files below the folder: opening for writing, writing,
   syncing, cutting, naming, linking, deleting, making folders. At the n-th of these it kills the
   process or lets the call fail. Every call is put into a list, if one is wanted, with its file.

   Memory that is mapped is not seen (SQLite's -shm), nor is what a thread of the kernel writes. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { COUNT, KILL, TEAR, NOSPC, FULL, IO, DEAD };
enum fault { GO, HALF, FAIL };

static char root[PATH_MAX];
static size_t root_length;
static atomic_long counted;
static long at;
static enum mode mode;
static int list = -1;
static pid_t armed;

/* Its own process alone: what it forks, a sandbox for example, meets no fault. */
void faults_arm(const char *folder, long place, int what, const char *listed)
{
    strncpy(root, folder, sizeof root - 1);
    root_length = strlen(root);
    at = place;
    mode = what;
    counted = 0;
    list = listed == NULL ? -1
        : syscall(SYS_openat, AT_FDCWD, listed, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    armed = getpid();
}

long faults_counted(void) { return counted; }

static int is_armed(void) { return armed != 0 && armed == getpid(); }

static int is_below(const char *path)
{
    return strncmp(path, root, root_length) == 0
        && (path[root_length] == '/' || path[root_length] == '\0');
}

static int of_descriptor(int fd, char *found)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, found, PATH_MAX - 1);
    if (length < 0)
        return 0;
    found[length] = '\0';
    return 1;
}

/* A path as it is given, made absolute; links on the way are not followed. */
static int of_path(int folder, const char *path, char *found)
{
    char base[PATH_MAX];
    if (path == NULL)
        return 0;
    if (path[0] == '/')
        return snprintf(found, PATH_MAX, "%s", path) < PATH_MAX;
    if (folder == AT_FDCWD ? getcwd(base, sizeof base) == NULL : !of_descriptor(folder, base))
        return 0;
    return snprintf(found, PATH_MAX, "%s/%s", base, path) < PATH_MAX;
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

/* What is to become of one call. `grows` says that it needs room on the disk. */
static enum fault met(const char *what, const char *path, int grows, int writes)
{
    long number = atomic_fetch_add(&counted, 1) + 1;
    if (list >= 0) {
        char line[PATH_MAX + 32];
        int length = snprintf(line, sizeof line, "%s\t%s\n", what, path + root_length);
        syscall(SYS_write, list, line, (size_t)length);
    }
    if (number < at || mode == COUNT || at <= 0)
        return GO;
    if (number == at) {
        if (mode == KILL || (mode == TEAR && !writes))
            die();
        if (mode == TEAR || (mode == FULL && writes))
            return HALF;
    }
    if (mode == FULL) {
        if (!grows)
            return GO;
        errno = ENOSPC;
        return FAIL;
    }
    if (mode == DEAD || number == at) {
        errno = mode == NOSPC ? ENOSPC : EIO;
        return FAIL;
    }
    return GO;
}

static enum fault on_descriptor(const char *what, int fd, int grows, int writes)
{
    char path[PATH_MAX];
    if (!is_armed())
        return GO;
    int before = errno;
    if (!of_descriptor(fd, path) || !is_below(path)) {
        errno = before;
        return GO;
    }
    errno = before;
    return met(what, path, grows, writes);
}

static enum fault on_path(const char *what, int folder, const char *given, int grows)
{
    char path[PATH_MAX];
    if (!is_armed())
        return GO;
    int before = errno;
    if (!of_path(folder, given, path) || !is_below(path)) {
        errno = before;
        return GO;
    }
    errno = before;
    return met(what, path, grows, 0);
}

/* Of two names it is the new one that counts, unless only the old one is below. */
static enum fault on_two(const char *what, int one, const char *from, int two, const char *to)
{
    char path[PATH_MAX];
    if (is_armed() && of_path(two, to, path) && is_below(path))
        return met(what, path, 0, 0);
    return on_path(what, one, from, 0);
}

/* -- opening -------------------------------------------------------------------------------- */

static int is_new(int folder, const char *path)
{
    struct stat found;
    int before = errno, missing = fstatat(folder, path, &found, 0) != 0;
    errno = before;
    return missing;
}

static int opened(int folder, const char *path, int flags, mode_t rights)
{
    const char *what = NULL;
    if (is_armed()) {
        if ((flags & O_TMPFILE) == O_TMPFILE || ((flags & O_CREAT) && is_new(folder, path)))
            what = "create";
        else if (flags & O_TRUNC)
            what = "empty";
        else if ((flags & O_ACCMODE) != O_RDONLY)
            what = "open";
    }
    if (what != NULL && on_path(what, folder, path, 0) != GO)
        return -1;
    return (int)syscall(SYS_openat, folder, path, flags, rights);
}

#define OPEN(name, large)                                                                          \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t rights = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                  \
        va_end(more);                                                                              \
        return opened(AT_FDCWD, path, flags | large, rights);                                      \
    }
#define OPENAT(name, large)                                                                        \
    int name(int folder, const char *path, int flags, ...)                                         \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t rights = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                  \
        va_end(more);                                                                              \
        return opened(folder, path, flags | large, rights);                                        \
    }
OPEN(open, 0)
OPEN(open64, O_LARGEFILE)
OPENAT(openat, 0)
OPENAT(openat64, O_LARGEFILE)

int creat(const char *path, mode_t rights)
{
    return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, rights);
}

int creat64(const char *path, mode_t rights) { return creat(path, rights); }

static FILE *streamed(const char *name, const char *path, const char *how)
{
    FILE *(*real)(const char *, const char *) =
        (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, name);
    if (strpbrk(how, "wa+") != NULL && is_armed()
        && on_path(is_new(AT_FDCWD, path) ? "create" : "empty", AT_FDCWD, path, 0) != GO)
        return NULL;
    return real(path, how);
}

FILE *fopen(const char *path, const char *how) { return streamed("fopen", path, how); }
FILE *fopen64(const char *path, const char *how) { return streamed("fopen64", path, how); }

/* -- writing -------------------------------------------------------------------------------- */

static ssize_t done(enum fault fault, ssize_t written)
{
    if (fault == HALF && mode == TEAR)
        die();
    return written;
}

ssize_t write(int fd, const void *data, size_t size)
{
    enum fault fault = on_descriptor("write", fd, 1, size > 1);
    if (fault == FAIL)
        return -1;
    return done(fault, syscall(SYS_write, fd, data, fault == HALF ? size / 2 : size));
}

static ssize_t placed(int fd, const void *data, size_t size, off_t where)
{
    enum fault fault = on_descriptor("write", fd, 1, size > 1);
    if (fault == FAIL)
        return -1;
    return done(fault, syscall(SYS_pwrite64, fd, data, fault == HALF ? size / 2 : size, where));
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t where)
{
    return placed(fd, data, size, where);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t where)
{
    return placed(fd, data, size, where);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    enum fault fault = on_descriptor("write", fd, 1, count > 1);
    if (fault == FAIL)
        return -1;
    return done(fault, syscall(SYS_writev, fd, parts, fault == HALF ? count / 2 : count));
}

ssize_t sendfile(int to, int from, off_t *where, size_t size)
{
    if (on_descriptor("write", to, 1, 0) != GO)
        return -1;
    return syscall(SYS_sendfile, to, from, where, size);
}

ssize_t sendfile64(int to, int from, off64_t *where, size_t size)
{
    return sendfile(to, from, (off_t *)where, size);
}

ssize_t copy_file_range(int from, off64_t *one, int to, off64_t *two, size_t size, unsigned flags)
{
    if (on_descriptor("write", to, 1, 0) != GO)
        return -1;
    return syscall(SYS_copy_file_range, from, one, to, two, size, flags);
}

int ftruncate(int fd, off_t size)
{
    return on_descriptor("cut", fd, 0, 0) != GO ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

int truncate(const char *path, off_t size)
{
    return on_path("cut", AT_FDCWD, path, 0) != GO ? -1 : (int)syscall(SYS_truncate, path, size);
}

int truncate64(const char *path, off64_t size) { return truncate(path, size); }

int fallocate(int fd, int how, off_t from, off_t size)
{
    if (on_descriptor("write", fd, 1, 0) != GO)
        return -1;
    return (int)syscall(SYS_fallocate, fd, how, from, size);
}

int fallocate64(int fd, int how, off64_t from, off64_t size)
{
    return fallocate(fd, how, from, size);
}

int posix_fallocate(int fd, off_t from, off_t size)
{
    return fallocate(fd, 0, from, size) == 0 ? 0 : errno;
}

int posix_fallocate64(int fd, off64_t from, off64_t size)
{
    return posix_fallocate(fd, from, size);
}

int fsync(int fd)
{
    return on_descriptor("sync", fd, 0, 0) != GO ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return on_descriptor("sync", fd, 0, 0) != GO ? -1 : (int)syscall(SYS_fdatasync, fd);
}

/* -- names ---------------------------------------------------------------------------------- */

int renameat2(int one, const char *from, int two, const char *to, unsigned flags)
{
    if (on_two("rename", one, from, two, to) != GO)
        return -1;
    return (int)syscall(SYS_renameat2, one, from, two, to, flags);
}

int renameat(int one, const char *from, int two, const char *to)
{
    return renameat2(one, from, two, to, 0);
}

int rename(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int one, const char *from, int two, const char *to, int flags)
{
    if (on_two("link", one, from, two, to) != GO)
        return -1;
    return (int)syscall(SYS_linkat, one, from, two, to, flags);
}

int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int symlinkat(const char *from, int two, const char *to)
{
    if (on_path("link", two, to, 0) != GO)
        return -1;
    return (int)syscall(SYS_symlinkat, from, two, to);
}

int symlink(const char *from, const char *to) { return symlinkat(from, AT_FDCWD, to); }

int unlinkat(int folder, const char *path, int flags)
{
    const char *what = flags & AT_REMOVEDIR ? "rmdir" : "unlink";
    if (on_path(what, folder, path, 0) != GO)
        return -1;
    return (int)syscall(SYS_unlinkat, folder, path, flags);
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int remove(const char *path)
{
    struct stat found;
    if (lstat(path, &found) != 0)
        return -1;
    return S_ISDIR(found.st_mode) ? rmdir(path) : unlink(path);
}

int mkdirat(int folder, const char *path, mode_t rights)
{
    if (on_path("mkdir", folder, path, 1) != GO)
        return -1;
    return (int)syscall(SYS_mkdirat, folder, path, rights);
}

int mkdir(const char *path, mode_t rights) { return mkdirat(AT_FDCWD, path, rights); }
