import { access, constants, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config/Config.ts'
import { findKeys } from '../keys/loadKeys.ts'
import { type Report, reasonOf } from './Finding.ts'
import type { Machine } from './Machine.ts'

const oldestNode = [20, 19] as const
const mebibyte = 1024 * 1024
const faultBelow = 200 * mebibyte
const warnBelow = 1024 * mebibyte

/** Checks Node and the data folder with its content. */
export async function checkMachine(config: Config, machine: Machine, report: Report): Promise<void> {
  const [major = 0, minor = 0] = machine.nodeVersion.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) {
    report.ok('node', `Node.js ${machine.nodeVersion}`)
  } else {
    report.fault(
      'node',
      `Node.js ${machine.nodeVersion} is too old.`,
      'Countersign needs features of Node.js 20.19. Parts of it fail at run time.',
      'Install Node.js 20.19 or newer.',
    )
  }
  const usesDisk = !config.databaseUrl || (config.files.store ?? 'database') === 'disk'
  if (!usesDisk) return report.skipped('folder', 'All data is in PostgreSQL or S3; the data folder is not used.')
  await checkFolder(config, machine, report)
}

async function checkFolder(config: Config, machine: Machine, report: Report): Promise<void> {
  const folder = resolve(config.dataFolder)
  const found = await stat(folder).catch(() => undefined)
  if (!found) return report.skipped('folder', `${folder} does not exist yet; the first start creates it.`)
  if (!found.isDirectory()) {
    return report.fault(
      'folder',
      `${folder} is a file.`,
      'The server does not start.',
      'Set COUNTERSIGN_DATA to a folder.',
    )
  }
  const mayWrite = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!mayWrite) {
    report.fault(
      'folder',
      `This user has no permission to write to ${folder}.`,
      'The server does not start, or its database fails at the next write.',
      'Make the user that runs the server the owner of the folder (chown).',
    )
  } else if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    report.warning(
      'folder',
      `Other users of this machine can open ${folder} (mode ${(found.mode & 0o777).toString(8)}).`,
      'They can read every account and session.',
      `chmod 700 ${folder}`,
    )
  } else report.ok('folder', `Only this user can open ${folder}.`)

  if (!config.databaseUrl) await checkKeyFile(config, folder, report)

  const free = await machine.freeBytes(folder)
  const said = `${Math.round(free / mebibyte).toLocaleString('en')} MB are free on the disk of ${folder}.`
  const meaning = 'When the disk is full, every write fails and the embedded database stops until there is free space.'
  if (free < faultBelow) report.fault('disk', said, meaning, 'Free some space, or move the data folder.')
  else if (free < warnBelow) report.warning('disk', said, meaning, 'Free some space soon, or move the data folder.')
  else report.ok('disk', said)
}

async function checkKeyFile(config: Config, folder: string, report: Report): Promise<void> {
  const path = join(folder, 'keys.json')
  const found = await stat(path).catch(() => undefined)
  if (!found) return report.skipped('keys', `${path} does not exist yet; the first start creates it.`)
  const problem = await findKeys(config).then(() => undefined, reasonOf)
  if (problem) {
    return report.fault(
      'keys',
      problem,
      'The server does not start. Data encrypted with the old keys cannot be read with new keys.',
      'Restore the file from a backup.',
    )
  }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    return report.fault(
      'keys',
      `Other users of this machine can read ${path} (mode ${(found.mode & 0o777).toString(8)}).`,
      'It contains the master key, which gives full access.',
      `chmod 600 ${path}`,
    )
  }
  report.ok('keys', `Only this user can read ${path}.`)
}
