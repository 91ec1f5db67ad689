import { readNames, type ServiceRecord } from '@countersign/protocol'
import { ConfigError } from '../config/ConfigError.ts'
import { type Installation, withInstallation } from './openInstallation.ts'
import type { Arguments } from './readArguments.ts'

const usage = 'Usage: countersign service list, create NAME, roles NAME or delete NAME. See countersign help service.'

/** `countersign service list | create | roles | delete`: accounts of programs. */
export async function runService(given: Arguments): Promise<void> {
  const { words, options } = given
  const [what = '', name = '', ...more] = words
  const isList = what === 'list'
  if (!/^(list|create|roles|delete)$/.test(what) || more.length > 0 || isList !== (name === ''))
    throw new ConfigError(usage)
  if (what === 'roles' && options.roles === undefined) {
    throw new ConfigError('Pass all roles of the account: --roles "editors,importers", or --roles "" for none.')
  }
  await withInstallation(given, async ({ call }, say) => {
    const roles = readNames(options.roles)
    if (isList) {
      const { results } = await call('listServices', {})
      if (options.json) say(JSON.stringify(results, null, 2))
      else say(results.map(describe).join('\n') || 'No service accounts.')
    } else if (what === 'create') {
      say(describe(await call('createService', { name, roles })))
      say(`It has no key yet: countersign access create KEY --service ${name} --scopes "Score:read"`)
    } else if (what === 'roles') {
      const { objectId } = await findService(call, name)
      say(describe(await call('updateService', { objectId, roles })))
    } else {
      const { objectId } = await findService(call, name)
      await call('deleteService', { objectId })
      say(`${name} was deleted and its keys were revoked. A later account of this name would have its access.`)
    }
  })
}

/** Service account by name or id. */
export async function findService(call: Installation['call'], given: string): Promise<ServiceRecord> {
  const { results } = await call('listServices', {})
  const name = given.replace(/^service:/, '')
  const found = results.find((each) => each.name === name) ?? results.find(({ objectId }) => objectId === given)
  if (!found) throw new ConfigError(`Service account not found: ${given}.`)
  return found
}

function describe({ objectId, name, roles, keys, lastUsedAt }: ServiceRecord): string {
  const facts = [
    roles.length > 0 ? `roles ${roles.join(' ')}` : 'no roles',
    keys === 1 ? '1 key' : `${keys} keys`,
    lastUsedAt ? `used ${lastUsedAt}` : 'never used',
  ]
  return `${objectId}  service:${name}  ${facts.join(', ')}`
}
