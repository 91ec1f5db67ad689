import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { OperatorRole } from '@countersign/protocol'
import { ConfigError } from '../config/ConfigError.ts'
import { newToken } from '../keys/secrets.ts'
import { type Installation, withInstallation } from './openInstallation.ts'
import type { Arguments } from './readArguments.ts'

/** `countersign admin create | grant | remove | list | link`: who may use the console. */
export async function runAdmin(given: Arguments): Promise<void> {
  const { words, options } = given
  const [what = '', name = '', ...more] = words
  const needsName = what === 'grant' || what === 'remove'
  if (!/^(create|grant|remove|list|link)$/.test(what) || more.length > 0 || needsName !== (name !== '')) {
    throw new ConfigError(
      'Usage: countersign admin create, grant USER, remove USER, list or link. See countersign help admin.',
    )
  }
  const role = readRole(options.role)
  const { username = '', email } = options
  if (what === 'create' && username === '')
    throw new ConfigError('Pass the username of the new account: --username NAME.')
  await withInstallation(given, async ({ call }, say) => {
    if (what === 'list') {
      for (const { objectId, username, role } of (await call('listOperators', {})).results)
        say(`${role.padEnd(8)} ${objectId}  ${username}`)
    } else if (what === 'link') {
      const { url, expiresAt } = await call('createOperatorLink', { role })
      say(`The first person who opens this link becomes an operator (${role}). It expires at ${expiresAt}:\n${url}`)
    } else if (what === 'create') {
      const asked = process.stdin.isTTY ? await askPassword() : ''
      const password = asked === '' ? newToken().slice(0, 20) : asked
      // A name that is taken is refused: the person who took it would become an operator.
      const { objectId } = await call('signUp', { username, password, ...(email && { email }) })
      await call('signOutUser', { objectId })
      await call('setOperator', { objectId, role })
      say(`${username} (${objectId}) can now use the console as ${role}.`)
      if (asked === '') say(`Password  ${password}   (shown only once; change it after the first sign-in)`)
    } else {
      const objectId = await findUser(call, name)
      if (what === 'grant') await call('setOperator', { objectId, role })
      else await call('removeOperator', { objectId })
      say(
        what === 'grant'
          ? `${name} (${objectId}) can now use the console as ${role}.`
          : `${name} (${objectId}) is no longer an operator.`,
      )
    }
  })
}

/** Returns the id of a user by id or name. */
async function findUser(call: Installation['call'], user: string): Promise<string> {
  const { results } = await call('listConsoleUsers', { limit: '100', search: user })
  const name = user.normalize('NFKC').toLowerCase()
  const found = results.find(
    ({ objectId, username }) => objectId === user || username.normalize('NFKC').toLowerCase() === name,
  )
  if (!found) throw new ConfigError(`User not found: ${user}.`)
  return found.objectId
}

function readRole(given = 'admin'): OperatorRole {
  if (given === 'admin' || given === 'support' || given === 'viewer') return given
  throw new ConfigError('--role must be admin, support or viewer.')
}

async function askPassword(): Promise<string> {
  process.stdout.write('Password (leave empty to generate one): ')
  // Hides typed characters.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  const password = await terminal.question('')
  terminal.close()
  process.stdout.write('\n')
  return password
}
