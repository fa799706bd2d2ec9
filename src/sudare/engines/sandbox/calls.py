"""System calls by name, with their numbers on the two kinds of processor that the filter knows.

`EVERYBODY` is what a program needs to compute on what it was given: memory, threads, time, reading
files that it may see. `COMMANDS` is what a shell and its tools need besides: other programs, pipes,
signals, files in folders of their own. What stands in neither is refused, also what a later kernel
brings.
"""

from __future__ import annotations

# A name, its number on x86_64 and on aarch64; -1 where there is none.
_EVERYBODY = """
read 0 63, write 1 64, open 2 -1, close 3 57, stat 4 -1, fstat 5 80, lstat 6 -1, poll 7 -1,
lseek 8 62, mprotect 10 226, munmap 11 215, brk 12 214, rt_sigreturn 15 139, pread64 17 67,
readv 19 65, writev 20 66, access 21 -1, select 23 -1, sched_yield 24 124, mremap 25 216,
madvise 28 233, dup 32 23, dup2 33 -1, pause 34 -1, nanosleep 35 101, getpid 39 172, exit 60 93,
wait4 61 260, kill 62 129, uname 63 160, getcwd 79 17, chdir 80 49, fchdir 81 50, readlink 89 -1,
gettimeofday 96 169, getrlimit 97 163, getrusage 98 165, times 100 153, getuid 102 174,
getgid 104 176, geteuid 107 175, getegid 108 177, getppid 110 173, getpgrp 111 -1,
getgroups 115 158, getresuid 118 148, getresgid 120 150, getpgid 121 155, getsid 124 156,
capget 125 90, sigaltstack 131 132, statfs 137 43, fstatfs 138 44, getpriority 140 141,
sched_getparam 143 121, sched_getscheduler 145 120, sched_get_priority_max 146 125,
sched_get_priority_min 147 126, arch_prctl 158 -1, gettid 186 178, tkill 200 130, time 201 -1,
futex 202 98, sched_getaffinity 204 123, getdents64 217 61, set_tid_address 218 96,
restart_syscall 219 128, fadvise64 221 223, clock_gettime 228 113, clock_getres 229 114,
clock_nanosleep 230 115, exit_group 231 94, epoll_wait 232 -1, epoll_ctl 233 21, tgkill 234 131,
get_mempolicy 239 236, openat 257 56, newfstatat 262 79, readlinkat 267 78, faccessat 269 48,
pselect6 270 72, ppoll 271 73, set_robust_list 273 99, epoll_pwait 281 22, eventfd2 290 19,
epoll_create1 291 20, dup3 292 24, preadv 295 69, getcpu 309 168, random 318 278,
membarrier 324 283, statx 332 291, rseq 334 293, close_range 436 436, faccessat2 439 439,
futex_waitv 449 449
"""
_COMMANDS = """
rt_sigaction 13 134, rt_sigprocmask 14 135, pwrite64 18 68, pipe 22 -1, msync 26 227,
getitimer 36 102, alarm 37 -1, setitimer 38 103, sendfile 40 71, sendto 44 206, recvfrom 45 207,
sendmsg 46 211, recvmsg 47 212, shutdown 48 210, fork 57 -1, vfork 58 -1, execve 59 221,
fsync 74 82, fdatasync 75 83, truncate 76 45, ftruncate 77 46, rename 82 -1, mkdir 83 -1,
rmdir 84 -1, creat 85 -1, unlink 87 -1, chmod 90 -1, fchmod 91 52, umask 95 166, setpgid 109 154,
setsid 112 157, rt_sigpending 127 136, rt_sigtimedwait 128 137, rt_sigsuspend 130 133,
timer_create 222 107, timer_settime 223 110, timer_gettime 224 108, timer_getoverrun 225 109,
timer_delete 226 111, waitid 247 95, mkdirat 258 34, unlinkat 263 35, renameat 264 38,
fchmodat 268 53, splice 275 76, tee 276 77, utimensat 280 88, timerfd_create 283 85,
fallocate 285 47, timerfd_settime 286 86, timerfd_gettime 287 87, signalfd4 289 74, pipe2 293 59,
pwritev 296 70, renameat2 316 276, memfd_create 319 279, execveat 322 281, copy_file_range 326 285
"""
# Calls of which the filter looks at an argument, or which it answers in a way of its own.
_LOOKED_AT = """
mmap 9 222, ioctl 16 29, fcntl 72 25, prctl 157 167, clone 56 220, prlimit64 302 261,
clone3 435 435, socketpair 53 199, rt_sigaction 13 134, rt_sigprocmask 14 135
"""


def _read(text: str) -> dict[str, tuple[int, int]]:
    found = {}
    for line in text.split(","):
        name, here, there = line.split()
        found[name] = (int(here), int(there))
    return found


EVERYBODY, COMMANDS, LOOKED_AT = _read(_EVERYBODY), _read(_COMMANDS), _read(_LOOKED_AT)
