/**
 * A network of the sandbox's own that leads to this process and nowhere else. It has no interface but loopback, and every
 * address routes there. So a connection to any host arrives at a socket that listens inside, and that socket was handed to
 * us before the program began: we judge where it wanted to go, and connect or refuse. Programs need to know of no proxy.
 *
 * Perl makes it, because most systems have it and it starts in 2 ms. It works outside the sandbox, in a user namespace of
 * its own, and ends by becoming bubblewrap. Where there is no perl, or no such namespace, see `doorman.ts`.
 */
import { NAMES_PORT } from './doorway.ts'
import { MOUNT_CALLS, SILENCE } from './silent-folders.ts'

export interface OwnNetwork {
  readonly perl: string
  readonly processor: 'x64' | 'arm64'
  readonly channel: number
  /** TCP ports that listen at every address. */
  readonly ports: readonly number[]
  /** Whether it has a name server. */
  readonly hasNames: boolean
  /** Folders in which no socket answers. */
  readonly silent: readonly string[]
}

export function inOwnNetwork(network: OwnNetwork, argv: readonly string[]): string[] {
  const { perl, processor, channel, ports, hasNames, silent } = network
  const numbers = [channel, ...CALLS[processor], ...MOUNT_CALLS[processor], silent.length]
  const doors = [...ports.map((port) => `tcp ${port}`), ...(hasNames ? [`udp ${NAMES_PORT}`] : [])]
  return [perl, '-e', SCRIPT, ...numbers.map(String), ...silent, doors.join(','), ...argv]
}

/** unshare, sendmsg */
const CALLS = { x64: [272, 46], arm64: [97, 211] } as const

/** Numbers are the kernel's, as perl's own names for them would take longer to load than all of this takes. */
const SCRIPT = String.raw`
use strict;
my ($channel, $unshare, $sendmsg, $mount, $unmount, $silent) = map { $_ + 0 } splice(@ARGV, 0, 6);
my @silent = splice(@ARGV, 0, $silent);
my @doors = split(/,/, shift);
sub fail { die "own network: $_[0]: $!\n" }
sub put { open(my $file, '>', $_[0]) or fail($_[0]); syswrite($file, $_[1]) or fail($_[0]) }

${SILENCE}
# CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS
my ($uid, $gid) = ($>, $) + 0);
syscall($unshare, 0x50020000) == 0 or fail('namespaces');
put('/proc/self/setgroups', 'deny');
put('/proc/self/uid_map', "$uid $uid 1");
put('/proc/self/gid_map', "$gid $gid 1");

silence($_) for @silent;

# lo: SIOCSIFFLAGS up and running; SIOCSIFADDR 192.0.0.1, for programs that believe they are offline without an address.
socket(my $any, 2, 2, 0) or fail('socket');
my $up = pack('a16 S x22', 'lo', 0x41);
my $address = pack('a16 S n a4 x16', 'lo:1', 2, 0, pack('C4', 192, 0, 0, 1));
ioctl($any, 0x8914, $up) && ioctl($any, 0x8916, $address) or fail('loopback');

# RTM_NEWROUTE: "local default dev lo" in the main table, for IPv4 and IPv6.
socket(my $routes, 16, 3, 0) or fail('netlink');
my %routed;
for my $family (2, 10) {
  my $route = pack('C8 L S S L', $family, 0, 0, 0, 254, 3, 254, 2, 0, 8, 4, 1);
  send($routes, pack('L S S L L', 16 + length $route, 24, 0x405, 1, 0) . $route, 0) or fail('route');
  defined recv($routes, my $answer, 4096, 0) or fail('route');
  $routed{$family} = unpack('x16 l', $answer) == 0;
}
$routed{2} or fail('route');

my $host;
!@doors or open($host, '+<&=', $channel) or fail('channel');
for my $door (@doors) {
  my ($kind, $port) = split(/ /, $door);
  my $type = $kind eq 'udp' ? 2 : 1;
  my $family = $routed{10} ? 10 : 2;
  socket(my $listening, $family, $type, 0) or fail('socket');
  # IPV6_V6ONLY off: IPv4 arrives here, too.
  $family == 2 or setsockopt($listening, 41, 26, pack('l', 0)) or fail('socket');
  bind($listening, $family == 10 ? pack('S n x24', 10, $port) : pack('S n x12', 2, $port)) or fail("port $port");
  $type == 2 or listen($listening, 511) or fail("port $port");
  # As Node sends a handle: one line, with the socket beside it (SCM_RIGHTS).
  my $what = $type == 1 ? '"type":"net.Server"'
    : '"type":"dgram.Socket","dgramType":"' . ($family == 10 ? 'udp6' : 'udp4') . '"';
  my $line = qq({"cmd":"NODE_HANDLE",$what,"msg":"$door"}\n);
  my $rights = pack('Q l l l x4', 20, 1, 1, fileno $listening);
  my $parts = pack('P Q', $line, length $line);
  my $message = pack('Q L x4 P Q P Q l x4', 0, 0, $parts, 1, $rights, length $rights, 0);
  syscall($sendmsg, $channel, $message, 0) == length $line or fail('channel');
}

# Node answers each line. If the channel ended before, it would read no more of them.
my $child = @doors ? fork : 1;
defined $child or fail('fork');
if ($child == 0) {
  open($_, '<', '/dev/null') for (*STDIN, *STDOUT, *STDERR);
  my $left = @doors;
  while ($left > 0 && sysread($host, my $said, 4096)) { $left -= ($said =~ tr/\n//) }
  exit 0;
}
close $host if $host;
delete @ENV{'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'};
exec { $ARGV[0] } @ARGV or fail($ARGV[0]);
`
