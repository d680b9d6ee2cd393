import PeerTestSupport
import Testing

extension DoctorTests {
    /// A fault of one of two laptops.
    struct Fault: CustomTestStringConvertible, Sendable {
        /// What it is called.
        var testDescription: String
        /// What the cable carries.
        var network = TwoHosts.Network.dual
        /// Whether the other laptop sends.
        var hasSender = true
        /// A script that makes the fault, on the examined laptop; `$store` is its store.
        var script = ""
        /// A script for the sender.
        var senderScript = ""
        /// Makes the fault of Avahi: its configuration gets this change, by `sed`; nil to leave the daemon alone, empty to
        /// stop it.
        var avahi: String?
        /// The only problem or warning.
        var code: String
        /// What the command or the remedy says.
        var remedy: String
        /// The exit code.
        var exit: Int32 = 8
        /// Whether the commands that are told mend the fault; if not, they are not run.
        var isMended = false
    }

    /// Switches ufw on, on one host only.
    private static let ufw = """
        mkdir -p /run/ufw /run/ufw-rules /run/ufw-defaults
        cp -a /etc/ufw/. /run/ufw-rules; mount --bind /run/ufw-rules /etc/ufw
        cp -a /etc/default/. /run/ufw-defaults; mount --bind /run/ufw-defaults /etc/default
        ufw --force enable

        """

    static func dropping(_ rule: String, in chain: String) -> String { filtering(rule, in: chain, "drop") }

    static func filtering(_ rule: String, in chain: String, _ verdict: String) -> String {
        """
        nft add table inet filter
        nft add chain inet filter \(chain) '{ type filter hook \(chain) priority 0; policy accept; }'
        nft add rule inet filter \(chain) \(rule) \(verdict)
        """
    }

    private static let showingConfiguration = "mount --bind /run/avahi.conf /etc/avahi/avahi-daemon.conf"

    /// What the remedy of every firewall says.
    private static let opening = "doctor --open-firewall"

    /// A VPN that lets nothing past its tunnel.
    private static let killSwitch = """
        ip tuntap add tun7 mode tun; ip addr add 10.9.0.2/24 dev tun7; ip link set tun7 up; ip route add default dev tun7
        nft add table inet vpn
        nft add chain inet vpn out '{ type filter hook output priority 0; policy drop; }'
        nft add chain inet vpn in '{ type filter hook input priority 0; policy drop; }'
        nft add rule inet vpn out oifname '{ lo, tun7 }' accept
        nft add rule inet vpn in iifname '{ lo, tun7 }' accept

        """

    /// Packets to one machine are dropped, and packets to all machines come in.
    private static let isolation = """
        nft add table netdev cell
        nft add chain netdev cell in '{ type filter hook ingress device lan0 priority 0; policy accept; }'
        nft add rule netdev cell in meta pkttype host drop
        """

    static let faults = [
        Fault(
            testDescription: "no address",
            script: "sysctl -qw net.ipv6.conf.lan0.disable_ipv6=1; ip addr flush dev lan0",
            code: "noAddress",
            remedy: "sudo sysctl -w net/ipv6/conf/lan0/disable_ipv6=0"
        ),
        Fault(
            testDescription: "no cable",
            script: "ip link set lan0 down",
            code: "interfaceDown",
            remedy: "sudo ip link set lan0 up"
        ),
        Fault(
            testDescription: "Avahi down",
            avahi: "",
            code: "avahiStopped",
            remedy: "sudo systemctl start avahi-daemon"
        ),
        // The other laptop answers a question that is asked beside Avahi.
        Fault(
            testDescription: "Avahi on the wrong interface",
            script: showingConfiguration,
            avahi: "s/allow-interfaces=lan0/allow-interfaces=lo/",
            code: "avahiInterface",
            remedy: #"sudo sed -i '/^\s*allow-interfaces"#,
            exit: 0
        ),
        Fault(
            testDescription: "Avahi excludes the interface",
            script: showingConfiguration,
            avahi: "s/allow-interfaces=lan0/deny-interfaces=lan0/",
            code: "avahiInterface",
            remedy: #"sudo sed -i '/^\s*deny-interfaces"#,
            exit: 0
        ),
        Fault(
            testDescription: "Avahi may use no IP",
            script: #"sed -i "s/^use-ipv\(.\)=.*/use-ipv\1=no/" /run/avahi.conf; \#(showingConfiguration)"#,
            avahi: "",
            code: "avahiUnusable",
            remedy: #"/^\s*use-ipv6\s*=/Id"#
        ),
        Fault(
            testDescription: "Avahi in another domain",
            script: showingConfiguration,
            avahi: #"s/^\[server\]/&\ndomain-name=home/"#,
            code: "avahiSetting",
            remedy: #"sudo sed -i '/^\s*domain-name"#,
            exit: 0
        ),
        Fault(
            testDescription: "Avahi without addresses",
            script: showingConfiguration,
            avahi: #"$a[publish]\npublish-addresses=no"#,
            code: "avahiSetting",
            remedy: #"sudo sed -i '/^\s*publish-addresses"#,
            exit: 0
        ),
        Fault(
            testDescription: "multicast blocked",
            script: dropping("meta l4proto udp", in: "input"),
            code: "multicastBlocked",
            remedy: opening,
            exit: 0,
            isMended: true
        ),
        Fault(
            testDescription: "outgoing multicast blocked",
            script: dropping("udp dport 5353", in: "output"),
            code: "multicastBlocked",
            remedy: opening,
            exit: 0,
            isMended: true
        ),
        Fault(
            testDescription: "multicast off",
            hasSender: false,
            script: "ip link set lan0 multicast off",
            code: "multicastOff",
            remedy: "sudo ip link set lan0 multicast on"
        ),
        Fault(
            testDescription: "port blocked",
            senderScript: dropping("tcp dport $port", in: "input"),
            code: "portBlocked",
            remedy: opening,
            exit: 3,
            isMended: true
        ),
        // firewalld rejects in this way, and the kernel reports it as if this machine forbade it.
        Fault(
            testDescription: "port rejected",
            network: .ll6,
            senderScript: filtering("tcp dport $port", in: "input", "reject with icmpx type admin-prohibited"),
            code: "portBlocked",
            remedy: opening,
            exit: 3,
            isMended: true
        ),
        Fault(
            testDescription: "own outgoing connections dropped",
            script: dropping("tcp dport $port", in: "output"),
            code: "outgoingBlocked",
            remedy: opening,
            isMended: true
        ),
        Fault(
            testDescription: "own outgoing connections rejected",
            network: .v4,
            script: filtering("tcp dport $port", in: "output", "reject with tcp reset"),
            code: "outgoingBlocked",
            remedy: opening,
            isMended: true
        ),
        Fault(
            testDescription: "port blocked by iptables",
            network: .v4,
            senderScript: "iptables -A INPUT -p tcp --dport $port -j DROP",
            code: "portBlocked",
            remedy: opening,
            exit: 3,
            isMended: true
        ),
        Fault(
            testDescription: "multicast blocked by iptables",
            network: .v4,
            script: "iptables -A INPUT -p udp --dport 5353 -j DROP",
            code: "multicastBlocked",
            remedy: opening,
            exit: 0,
            isMended: true
        ),
        Fault(
            testDescription: "port blocked by ufw",
            senderScript: ufw,
            code: "portBlocked",
            remedy: opening,
            exit: 3,
            isMended: true
        ),
        Fault(
            testDescription: "own outgoing connections dropped by ufw",
            script: ufw + "ufw allow out 5353/udp; ufw default deny outgoing",
            code: "outgoingBlocked",
            remedy: opening,
            isMended: true
        ),
        // A hand-made firewall without a rule for what this machine has asked for.
        Fault(
            testDescription: "answers dropped here",
            script: dropping("meta l4proto tcp", in: "input"),
            code: "answersBlocked",
            remedy: opening,
            isMended: true
        ),
        Fault(
            testDescription: "answers dropped there",
            senderScript: dropping("meta l4proto tcp", in: "output"),
            code: "answersKept",
            remedy: opening,
            exit: 3,
            isMended: true
        ),
        Fault(
            testDescription: "kill switch of a VPN",
            script: killSwitch,
            code: "tunnelBlocks",
            remedy: "Allow the local network in the settings of the VPN"
        ),
        Fault(
            testDescription: "VPN that locks the sender's network",
            network: .v4,
            senderScript: "ip rule add to 10.0.0.0/8 unreachable priority 100",
            code: "noWayBack",
            remedy: "end the VPN there",
            exit: 3
        ),
        Fault(
            testDescription: "containers with the same addresses",
            network: .v4,
            script: """
                ip link add br-7 type bridge; ip link set br-7 up; ip addr add 10.77.0.99/25 dev br-7
                ip link add c7 type veth peer name c7x; ip link set c7x master br-7; ip link set c7 up; ip link set c7x up
                """,
            code: "containersTakeNetwork",
            remedy: "sudo ip link set br-7 down",
            isMended: true
        ),
        Fault(
            testDescription: "VPN route",
            network: .v4,
            script: """
                ip tuntap add tun7 mode tun; ip link set tun7 up; ip addr add 10.9.0.2/32 dev tun7
                ip route add 10.77.0.0/25 dev tun7; ip route add 10.77.0.128/25 dev tun7
                """,
            code: "tunnelTakesNetwork",
            remedy: "sudo ip link set tun7 down",
            isMended: true
        ),
        Fault(
            testDescription: "client isolation",
            script: isolation,
            senderScript: isolation,
            code: "clientIsolation",
            remedy: "Use a cable between the two machines",
            exit: 3
        ),
        // The hardware address is found, and nothing else reaches the sender.
        Fault(
            testDescription: "one-way isolation",
            network: .v4,
            senderScript: """
                nft add table netdev cell
                nft add chain netdev cell in '{ type filter hook ingress device lan0 priority 0; policy accept; }'
                nft add rule netdev cell in meta pkttype host meta protocol ip drop
                """,
            code: "clientIsolation",
            remedy: "Use a cable between the two machines",
            exit: 3
        ),
        Fault(
            testDescription: "narrow network of the sender",
            network: .v4,
            senderScript: "ip addr add 10.77.0.1/32 dev lan0; ip addr del 10.77.0.1/24 dev lan0",
            code: "noWayBack",
            remedy: "get their addresses in the same way",
            exit: 3
        ),
        Fault(
            testDescription: "two subnets",
            network: .v4,
            script: "ip addr del 10.77.0.2/24 dev lan0; ip addr add 10.88.0.2/24 dev lan0",
            code: "otherSubnet",
            remedy: "sudo ip addr add 10.77.0.",
            exit: 3,
            isMended: true
        ),
        Fault(
            testDescription: "clock off",
            script: #"mkdir -p "$store"; touch -d "1000 days" "$store/regions""#,
            code: "clockBehind",
            remedy: "sudo date -s",
            exit: 0
        ),
        Fault(
            testDescription: "disk full",
            script: #"""
                mkdir -p "$store"; mount -t tmpfs -o size=9m,mode=700 tmpfs "$store"
                dd if=/dev/zero of="$store/filler" bs=1M count=8 2>/dev/null
                """#,
            code: "diskFull",
            remedy: "--store",
            exit: 7
        ),
        Fault(
            testDescription: "store open to others",
            script: #"mkdir -p "$store"; chmod 777 "$store""#,
            code: "openToOthers",
            remedy: "chmod go-w",
            exit: 7
        ),
        Fault(
            testDescription: "disk read-only",
            script: #"mkdir -p "$store"; mount -t tmpfs -o ro tmpfs "$store""#,
            code: "readOnly",
            remedy: "sudo mount -o remount,rw",
            exit: 7
        ),
    ]
}
