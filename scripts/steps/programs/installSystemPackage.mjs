import { spawnSync } from 'node:child_process'
import { runQuietly } from '../run/runQuietly.mjs'
import { runStep } from '../run/runStep.mjs'

/**
 * Installs a Debian package where we may: as root, or with a sudo that asks for no password.
 *
 * @param {string} name
 * @returns {Promise<string | undefined>} why it could not be, or nothing when it is installed
 */
export async function installSystemPackage(name) {
  if (spawnSync('apt-get', ['--version']).status !== 0) return 'this system has no apt-get'
  const isRoot = process.getuid?.() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0)
    return 'installing needs root, or sudo without a password'
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const [command, prefix] = isRoot ? ['apt-get', []] : ['sudo', ['-n', '--preserve-env=DEBIAN_FRONTEND', 'apt-get']]
  return runStep(`Installing ${name} (apt-get)`, async () => {
    // Another apt may be at work: wait for its lock rather than fail.
    const patience = ['-o', 'DPkg::Lock::Timeout=300']
    await runQuietly(command, [...prefix, ...patience, 'update'], { env })
    const parameters = [...prefix, ...patience, 'install', '-y', '--no-install-recommends', name]
    const { code, output } = await runQuietly(command, parameters, { env })
    return code === 0 ? undefined : `apt-get failed:\n${output}`
  })
}
