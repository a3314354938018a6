/** Entry point of the command line: `node dist/cli.js <command>`, configured by the environment like every process. */
import { runCommandLine } from './commands/run.js'

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  print: (text) => console.log(text),
  tell: (text) => console.error(text),
})
