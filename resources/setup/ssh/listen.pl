# SPDX-License-Identifier: GPL-3.0-or-later
# PORT WORD SECONDS: as listen.py.
use Socket;
my ($port, $word, $seconds) = @ARGV;
sub listening {
  my ($number) = @_;
  socket(my $s, PF_INET, SOCK_STREAM, 6) or return;
  setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
  bind($s, sockaddr_in($number, INADDR_ANY)) && listen($s, 128) or return;
  return $s;
}
my $named = listening($port);
if (!$named) { print "lockstep:trouble=$!\n"; exit }
my $any = listening(0);
my $child = fork;
if ($child) {
  print "lockstep:process=$child\n";
  print "lockstep:any=" . (sockaddr_in(getsockname($any)))[0] . "\n" if $any;
  exit;
}
open STDIN, "<", "/dev/null"; open STDOUT, ">", "/dev/null"; open STDERR, ">", "/dev/null";
$SIG{PIPE} = "IGNORE";
alarm $seconds;
while (1) {
  my $wait = ""; vec($wait, fileno($named), 1) = 1; vec($wait, fileno($any), 1) = 1 if $any;
  select($wait, undef, undef, undef);
  for my $s ($named, $any) {
    next unless $s && vec($wait, fileno($s), 1);
    if (accept(my $c, $s)) { syswrite $c, "$word\n"; close $c }
  }
}
