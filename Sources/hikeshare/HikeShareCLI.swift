import HikeShareCommands

@main
enum HikeShareCLI {
    static func main() async { await HikeShareProgram.main() }
}
