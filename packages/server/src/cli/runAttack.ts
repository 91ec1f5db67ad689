import { readFile, writeFile } from 'node:fs/promises'
import { type AttackClass, attackClasses } from '../attack/AttackClass.ts'
import { findTarget } from '../attack/findTarget.ts'
import { type AttackOptions, runAttack } from '../attack/runAttack.ts'
import { writeSarif, writeText } from '../attack/writeReport.ts'
import { ConfigError } from '../config/ConfigError.ts'
import type { Arguments } from './readArguments.ts'

/** Ends with 0 without findings, with 1 with some, with 2 if the attack could not run or did not finish. */
export async function runAttackCommand({ words, options }: Arguments): Promise<void> {
  if (options.list) return void process.stdout.write(listClasses())
  try {
    process.exitCode = await attack(words, options)
  } catch (error) {
    process.stderr.write(`\n${(error as Error).message}\n\n`)
    process.exitCode = 2
  }
}

async function attack(words: string[], options: Arguments['options']): Promise<number> {
  const [url, ...rest] = words
  if (url === undefined || rest.length > 0)
    throw new ConfigError('Usage: countersign attack URL. See countersign help attack.')
  const only = readOnly(options.only)
  const masterKey = await readMasterKey(options.masterKeyFile)
  const token = options.tokenFile === undefined ? undefined : (await readFile(options.tokenFile, 'utf8')).trim()
  const target = await findTarget(url, { isOwn: options.iOwnThis === true, token })
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const report = await runAttack({
    ...target,
    ...{ masterKey, only, mostRequests: 20_000, signal: interrupted.signal },
    ...(process.stderr.isTTY && { onCase: showProgress }),
  })
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  process.stdout.write(writeText(report))
  if (options.report !== undefined) await writeFile(options.report, `${JSON.stringify(report, null, 2)}\n`)
  if (options.sarif !== undefined) await writeFile(options.sarif, `${JSON.stringify(writeSarif(report), null, 2)}\n`)
  if (report.findings.length > 0) return 1
  return report.stopped === undefined ? 0 : 2
}

const showProgress: NonNullable<AttackOptions['onCase']> = ({ class: of, name, done, of: all, findings }) => {
  const text = `${of} ${done + 1}/${all}: ${name}${findings > 0 ? ` (${findings} findings)` : ''}`
  process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`)
}

function readOnly(text: string | undefined): AttackClass[] | undefined {
  const names = text?.split(',').map((name) => name.trim())
  const unknown = names?.find((name) => !Object.hasOwn(attackClasses, name))
  if (unknown !== undefined) throw new ConfigError(`There is no class "${unknown}". See countersign attack --list.`)
  return names as AttackClass[] | undefined
}

/** Never from the command line, which other users of the machine can read. */
async function readMasterKey(file: string | undefined): Promise<string | undefined> {
  if (file !== undefined) return (await readFile(file, 'utf8')).trim()
  return process.env.COUNTERSIGN_MASTER_KEY || undefined
}

function listClasses(): string {
  return Object.entries(attackClasses)
    .map(([name, title]) => `${name.padEnd(14)} ${title}\n`)
    .join('')
}
