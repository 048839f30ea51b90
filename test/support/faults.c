// Makes chosen calls on chosen files fail, or take long, as a disk does: loaded before libc with LD_PRELOAD.
//
// The file named by FAULTS_FILE has one fault a line: a kind (open, read, write, sync), a part of the path or an end of
// it after a $, and an errno, with how often if not always, or a time (`28`, `28x1`, `300ms`). It is read again at each call, so that a test changes it at any time.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Raw calls throughout, so that nothing here comes back here.
static size_t readFaults(char *into, size_t size) {
  static const char *path = NULL;
  if (path == NULL) path = getenv("FAULTS_FILE");
  if (path == NULL) return 0;
  int file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return 0;
  ssize_t length = syscall(SYS_read, file, into, size - 1);
  syscall(SYS_close, file);
  return length < 0 ? 0 : (size_t)length;
}

static int fits(const char *path, const char *part) {
  if (part[0] != '$') return strstr(path, part) != NULL;
  size_t length = strlen(path), wanted = strlen(part + 1);
  return length >= wanted && strcmp(path + length - wanted, part + 1) == 0;
}

static int faultAt(const char *kind, const char *path) {
  // How often something has failed since the faults were others.
  static char before[2048];
  static int times = 0;
  char faults[2048];
  size_t length = readFaults(faults, sizeof faults);
  if (length == 0) return 0;
  faults[length] = 0;
  if (strcmp(before, faults) != 0) {
    strcpy(before, faults);
    times = 0;
  }
  int failure = 0;
  char *rest = NULL;
  for (char *line = strtok_r(faults, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    char named[16], part[256], effect[16];
    if (sscanf(line, "%15s %255s %15s", named, part, effect) != 3) continue;
    if (strcmp(named, kind) != 0 || !fits(path, part)) continue;
    long value = strtol(effect, NULL, 10);
    if (strstr(effect, "ms") == NULL) {
      char *most = strchr(effect, 'x');
      if (most == NULL || times++ < atoi(most + 1)) failure = (int)value;
      continue;
    }
    struct timespec wait = {value / 1000, (value % 1000) * 1000000L};
    nanosleep(&wait, NULL);
  }
  return failure;
}

static int faultOf(const char *kind, int file) {
  char link[48], path[1024];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0 || path[0] != '/') return 0;
  path[length] = 0;
  return faultAt(kind, path);
}

#define INTERCEPT(kind, returned, name, parameters, arguments)          \
  returned name parameters {                                            \
    static returned(*real) parameters = NULL;                           \
    if (real == NULL) real = (returned(*) parameters)dlsym(RTLD_NEXT, #name); \
    int saved = errno;                                                  \
    int failure = faultOf(kind, file);                                  \
    if (failure != 0) {                                                 \
      errno = failure;                                                  \
      return -1;                                                        \
    }                                                                   \
    errno = saved;                                                      \
    return real arguments;                                              \
  }

INTERCEPT("sync", int, fsync, (int file), (file))
INTERCEPT("sync", int, fdatasync, (int file), (file))
INTERCEPT("write", ssize_t, write, (int file, const void *from, size_t size), (file, from, size))
INTERCEPT("write", ssize_t, pwrite, (int file, const void *from, size_t size, off_t at), (file, from, size, at))
INTERCEPT("write", ssize_t, pwrite64, (int file, const void *from, size_t size, off64_t at), (file, from, size, at))
INTERCEPT("write", int, ftruncate, (int file, off_t size), (file, size))
INTERCEPT("write", int, ftruncate64, (int file, off64_t size), (file, size))
INTERCEPT("write", int, posix_fallocate, (int file, off_t at, off_t size), (file, at, size))
INTERCEPT("read", ssize_t, pread, (int file, void *into, size_t size, off_t at), (file, into, size, at))
INTERCEPT("read", ssize_t, pread64, (int file, void *into, size_t size, off64_t at), (file, into, size, at))

#define INTERCEPT_OPEN(name)                                            \
  int name(const char *path, int flags, ...) {                          \
    static int (*real)(const char *, int, ...) = NULL;                  \
    if (real == NULL) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
    va_list more;                                                       \
    va_start(more, flags);                                              \
    int mode = va_arg(more, int);                                       \
    va_end(more);                                                       \
    int failure = faultAt("open", path);                                \
    if (failure != 0) {                                                 \
      errno = failure;                                                  \
      return -1;                                                        \
    }                                                                   \
    return real(path, flags, mode);                                     \
  }

static int refusesLink(const char *to) {
  int failure = faultAt("link", to);
  if (failure != 0) errno = failure;
  return failure;
}

int link(const char *from, const char *to) {
  return refusesLink(to) ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int fromFolder, const char *from, int toFolder, const char *to, int flags) {
  return refusesLink(to) ? -1 : (int)syscall(SYS_linkat, fromFolder, from, toFolder, to, flags);
}

INTERCEPT_OPEN(open)
INTERCEPT_OPEN(open64)
