# SPDX-License-Identifier: GPL-3.0-or-later
# WORD NUMBER,ADDRESS,PORT ...: as connect.py.
use Socket;
$| = 1;
my ($word, @targets) = @ARGV;
for my $target (@targets) {
  next if fork;
  my ($number, $address, $port) = split /,/, $target;
  my $tell = sub { print "lockstep:$number=$_[0]\n"; exit };
  $SIG{ALRM} = sub { $tell->("silent mute") };
  alarm 4;
  my $place = inet_aton($address) or $tell->("unresolved mute");
  socket(my $s, PF_INET, SOCK_STREAM, 6);
  connect($s, sockaddr_in($port, $place))
    or $tell->(($! + 0 == 111 ? "refused" : $! + 0 == 110 ? "silent" : "no-route") . " mute");
  $SIG{ALRM} = sub { $tell->("open mute") };
  my $said = <$s>;
  $said =~ s/\s+$// if defined $said;
  $tell->("open " . (defined $said && $said eq $word ? "greeted" : "mute"));
}
1 while wait != -1;
