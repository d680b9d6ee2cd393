# The cables and the bridge of Scripts/hosts, which reads this file and has the variables and functions that are used here.

start_middle() { # the namespace that the cables lead to, if the hosts are not joined directly
  ip netns add "${P}m"; echo "${P}m" >>"$D/netns"
  ip netns exec "${P}m" sysctl -qw net.ipv6.conf.default.disable_ipv6=1
  if has_bridge; then
    # Without a querier on the network, snooping could lose multicast packets.
    ip -n "${P}m" link add bridge type bridge stp_state 0 mcast_snooping 0
    ip -n "${P}m" link set bridge up
  fi
}

plug_directly() { ip -n "${P}a" link add $LAN type veth peer name $LAN netns "${P}b"; }

plug() { # HOST: a cable to the middle
  ip -n "${P}m" link add "to$1" type veth peer name $LAN netns "$P$1"
  if has_bridge; then ip -n "${P}m" link set "to$1" master bridge; fi
  ip -n "${P}m" link set "to$1" up
}

start_delay() {
  local s
  for s in a b; do on $s ethtool -K $LAN tx off >/dev/null 2>&1; done      # the relay needs real checksums
  setsid ip netns exec "${P}m" python3 "$COMMON/delay.py" toa tob "$DELAY" \
    </dev/null >"$D/delay.log" 2>&1 &
  note $!
  await grep -qs ready "$D/delay.log" || die "delay.py: $(tail -1 "$D/delay.log")"
}

set_up_link() { # HOST
  local number=$(($(printf %d "'$1") - 96))      # a is 1, b is 2, ...
  on "$1" sysctl -qw "net.ipv6.conf.$LAN.accept_dad=0" "net.ipv6.conf.$LAN.accept_ra=0" 2>/dev/null || true
  if [ "$NET" = v4 ]; then on "$1" sysctl -qw "net.ipv6.conf.$LAN.disable_ipv6=1"; fi
  if [ "$NET" != ll6 ]; then on "$1" ip addr add "10.77.0.$number/24" dev $LAN; fi
  on "$1" ip link set $LAN up
}

set_link() { on "$2" ip link set $LAN "$1"; } # up|down HOST

has_address() { # HOST
  on "$1" ip -6 -o addr show dev $LAN scope link | grep -v tentative | grep -q fe80
}

await_address() { # HOST
  await has_address "$1" || die "host $1 has no address"
}

limit_rate() { # NAMESPACE DEVICE
  tc -n "$1" qdisc del dev "$2" root 2>/dev/null || true
  if [ "$RATE" != none ]; then tc -n "$1" qdisc add dev "$2" root tbf rate "$RATE" burst 32kb latency "$QUEUE"; fi
}

shape() { # HOST: RATE and LOSS for its cable
  local offload=off
  if [ "$RATE" = none ] && [ "$LOSS" = none ] && [ "$DELAY" = 0 ]; then offload=on; fi
  on "$1" ethtool -K $LAN tso $offload gso $offload tx-udp-segmentation $offload >/dev/null 2>&1 || true
  limit_rate "$P$1" $LAN
  if has_bridge; then limit_rate "${P}m" "to$1"; fi
  on "$1" nft delete table inet hikeloss 2>/dev/null || true
  if [ "$LOSS" != none ]; then
    local per; per=$(awk -v p="$LOSS" 'BEGIN{printf "%d", p*1000+0.5}')
    on "$1" nft -f - <<NFT
table inet hikeloss {
  chain pre {
    type filter hook prerouting priority -300; policy accept;
    iifname "$LAN" numgen random mod 100000 < $per counter drop
    iifname "$LAN" counter accept
  }
}
NFT
  fi
}

set_groups() { # GROUP...
  local x y group pairs="" rule=""
  for x in "${HOSTS[@]}"; do
    for y in "${HOSTS[@]}"; do
      for group in "$@"; do
        if [ "$x" != "$y" ] && [[ $group == *$x* && $group == *$y* ]]; then pairs+=" \"to$x\" . \"to$y\","; break; fi
      done
    done
  done
  [ -z "$pairs" ] || rule="iifname . oifname {$pairs } accept"
  # one transaction: no packet passes in between
  ip netns exec "${P}m" nft -f - <<NFT
add table bridge hikegroups
delete table bridge hikegroups
table bridge hikegroups {
  chain between {
    type filter hook forward priority 0; policy drop;
    $rule
  }
}
NFT
  echo "$*" >"$D/groups"
}

remove_groups() {
  ip netns exec "${P}m" nft 'add table bridge hikegroups; delete table bridge hikegroups'
  : >"$D/groups"
}
