import { type AccessTokenRecord, readTokenInput } from '@countersign/protocol'
import { ConfigError } from '../config/ConfigError.ts'
import { type Installation, withInstallation } from './openInstallation.ts'
import type { Arguments } from './readArguments.ts'
import { readPositive } from './readPositive.ts'
import { findService } from './runService.ts'

const usage =
  'Usage: countersign access list, create NAME, rotate ID, revoke ID or scopes. See countersign help access.'

/** `countersign access list | create | rotate | revoke | scopes`: keys of operators and service accounts. */
export async function runAccess(given: Arguments): Promise<void> {
  const { words, options } = given
  const [what = '', named = '', ...more] = words
  const isAlone = what === 'list' || what === 'scopes'
  if (!/^(list|create|rotate|revoke|scopes)$/.test(what) || more.length > 0 || isAlone !== (named === ''))
    throw new ConfigError(usage)
  if (what === 'create' && !options.scopes) {
    throw new ConfigError(
      'Pass what the key may do: --scopes "users:read backup". countersign access scopes lists all.',
    )
  }
  const days = readPositive('expires', options.expires)
  const hours = readPositive('overlap', options.overlap)
  await withInstallation(given, async ({ call }, say) => {
    if (what === 'list') {
      const keys = await listKeys(call, options.service)
      if (options.json) say(JSON.stringify(keys, null, 2))
      else say(keys.map(describe).join('\n') || 'No keys.')
    } else if (what === 'scopes') {
      const { results } = await call('listScopes', {})
      if (options.json) say(JSON.stringify(results, null, 2))
      else
        for (const { scope, meaning, holders } of results) say(`${scope.padEnd(22)} ${meaning} (${holders.join(', ')})`)
    } else if (what === 'create') {
      const service = options.service === undefined ? undefined : await findService(call, options.service)
      const { scopes, addresses } = options
      const draft = readTokenInput({ name: named, scopes, addresses, days })
      const made = await call('createAccessKey', { ...draft, ...(service && { service: service.objectId }) })
      say(`${describe(made)}\nKey  ${made.token}   (shown only once)`)
    } else if (what === 'rotate') {
      const overlap = hours === undefined ? {} : { overlap: hours * 3600 }
      const made = await call('rotateAccessKey', { objectId: named, ...overlap })
      const length = hours === undefined ? 'for a day' : `for ${hours} hours`
      say(`${describe(made)}\nKey  ${made.token}   (shown only once)\nThe former key stays valid ${length}.`)
    } else {
      await call('revokeAccessKey', { objectId: named })
      say(`${named} no longer works.`)
    }
  })
}

async function listKeys(call: Installation['call'], service: string | undefined): Promise<AccessTokenRecord[]> {
  const { results } = await call('listAccessKeys', {})
  if (service === undefined) return results
  const { name } = await findService(call, service)
  return results.filter((key) => key.service === name)
}

function describe({ objectId, name, service, hint, scopes, addresses, ...times }: AccessTokenRecord): string {
  const facts = [
    service === undefined ? 'operator key' : `service:${service}`,
    scopes.join(' '),
    ...(addresses.length > 0 ? [`from ${addresses.join(' ')}`] : []),
    times.lastUsedAt ? `used ${times.lastUsedAt}` : 'never used',
    ...(times.expiresAt ? [`expires ${times.expiresAt}`] : []),
    ...(times.replacedBy ? [`replaced by ${times.replacedBy}`] : []),
  ]
  return `${objectId}  ${name} …${hint}  ${facts.join(', ')}`
}
