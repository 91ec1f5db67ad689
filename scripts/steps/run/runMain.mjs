import { StepError } from './StepError.mjs'

/**
 * Runs a command's body and turns a failure into words and an exit code.
 *
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main()
  } catch (error) {
    if (error instanceof StepError)
      console.error(`\n✗ ${error.message}\n\n  ${error.remedy.replaceAll('\n', '\n  ')}\n`)
    else console.error(error)
    process.exit(1)
  }
}
