/**
 * Swaps two names, again and again: each is there at any time, so that nobody who looks finds anything odd. The shell
 * has no word for it, and neither has Node.
 */
const PERL = `
  my $call = \`uname -m\` =~ /aarch64/ ? 276 : 316;
  my ($one, $other, $mark) = @ARGV;
  syscall($call, -100, $one, -100, $other, 2) == 0 or die "cannot swap: $!";
  open(my $file, ">", $mark); close($file);
  while (1) { syscall($call, -100, $one, -100, $other, 2); select(undef, undef, undef, 0.00005) }
`

/** Followed by the two names, and a file that is there once they have been swapped. */
export const SWAPPING = `exec perl -e '${PERL}'`
