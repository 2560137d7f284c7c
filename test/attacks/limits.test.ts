/** Memory where no process shows it, ways out of the limits, and what is the user's and not the sandbox's. */
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const MB = 1024 * 1024
const PERL =
  'use strict; my $arm = `uname -m` =~ /aarch64/; sub call { my ($x, $a, @with) = @_; syscall($arm ? $a : $x, @with) }'
const perl = (script: string): string => `perl -e '${PERL} ${script}'`

attack(
  '[D26] no memory is out of sight: files that are gone, segments that nobody holds, mappings of many',
  {
    rules: { limits: { processes: null, memoryBytes: 200 * MB, openFiles: null } },
    plays: ({ plant }) => ({
      develop: [
        [
          plant('begin', 'true'),
          {
            run: [
              // Each takes less than all may have, and hides it otherwise.
              'exec 8> /tmp/gone; rm /tmp/gone; head -c 80M /dev/zero >&8 &',
              'head -c 60M /dev/zero > /dev/shm/x &',
              perl(
                'my $id = call(29, 194, 0, 80_000_000, 0x380); my $at = call(30, 196, $id, 0, 0); if ($at > 0) { memset($at) } sub memset { } call(67, 197, $at); sleep 60',
              ) + ' &',
              perl(
                'for (1 .. 3) { next if fork; call(157, 167, 4, 0, 0, 0, 0); call(9, 222, 0, 40_000_000, 3, 0x8021, -1, 0); sleep 60; exit } sleep 60',
              ) + ' &',
              'wait',
            ].join('\n'),
          },
          { hang: true },
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
    expect((await run.until('member.faulted')).detail).toMatch(/more memory than it may/)
  },
)

attack(
  '[D16] [D27] no way out of the limits, and no namespace of its own',
  {
    rules: { limits: { processes: 200, memoryBytes: 400 * MB, openFiles: 100 } },
    plays: ({ attempt }) => ({
      develop: [
        [
          attempt('unshare', 'unshare -Ur true || unshare --user true'),
          attempt(
            'clone',
            perl(
              'my $pid = call(56, 220, 0x10000011, 0, 0, 0, 0); exit(0) if $pid == 0; exit($pid > 0 ? 0 : 1)',
            ),
          ),
          attempt(
            'clone3',
            perl(
              'my $args = pack("Q11", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0); my $pid = call(435, 435, $args, 88); exit(0) if $pid == 0; exit($pid > 0 ? 0 : 1)',
            ),
          ),
          attempt(
            'setns',
            perl('open(my $ns, "<", "/proc/1/ns/user"); exit(call(308, 268, fileno($ns), 0) == 0 ? 0 : 1)'),
          ),
          attempt('32 bits', perl('exit(call(0x40000000 + 272, 97, 0x10000000) == 0 ? 0 : 1)')),
          attempt('more files', 'ulimit -n 5000'),
          attempt(
            'group',
            'left=1; for procs in $(find /sys/fs/cgroup -name cgroup.procs 2>/dev/null); do echo $$ > $procs && left=0; done; exit $left',
          ),
          attempt(
            'mount',
            'mkdir -p m; mount -t tmpfs none m || mount -t cgroup2 none m || mount -o remount,size=8G /tmp',
          ),
        ],
      ],
    }),
  },
  async ({ run, exit }) => {
    expect(await run.end()).toBe('done')
    for (const name of ['unshare', 'clone', 'clone3', 'setns', '32 bits', 'more files', 'group', 'mount'])
      expect(`${name} ${exit(name) === 0 ? 'worked' : 'failed'}`).toBe(`${name} failed`)
  },
)
