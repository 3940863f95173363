# A telephone made with Net::SIP: takes one call, keeps what it hears, presses keys, and is hung up on.
# Arguments: port, folder, keys. Writes heard.ul (the sound as u-law) and packets.txt (sequence number, timestamp, arrival in ms).
use strict;
use warnings;
use Net::SIP;
use Time::HiRes 'time';

my ($port, $folder, $keys) = @ARGV;
open(my $sound, '>:raw', "$folder/heard.ul") or die $!;
open(my $packets, '>', "$folder/packets.txt") or die $!;
my $over = 0;
my $ua = Net::SIP::Simple->new(leg => "127.0.0.1:$port", from => "sip:ana\@127.0.0.1");

my $hear = sub {
  my ($payload, $seq, $timestamp) = @_;
  return '' if !defined $payload;
  print $sound $payload;
  printf $packets "%d %d %.3f\n", $seq, $timestamp, time() * 1000;
  return '';
};

$ua->listen(
  init_media => $ua->rtp('recv_echo', $hear, -1),
  cb_established => sub {
    my ($status, $call) = @_;
    # The greeting and then the message are heard for a while before each key.
    my $after = 3;
    for my $key (split //, $keys) {
      $ua->add_timer($after, sub { $call->dtmf($key, methods => 'rfc2833', duration => 200) });
      $after += 4;
    }
  },
  recv_bye => \$over,
);
$ua->loop(30, \$over);
close($sound);
close($packets);
exit($over ? 0 : 1);
