import { type EndpointTypes, type OidcClientRecord, readList } from '@countersign/protocol'
import { ConfigError } from '../config/ConfigError.ts'
import { type Installation, withInstallation } from './openInstallation.ts'
import type { Arguments, Options } from './readArguments.ts'

const usage =
  'Usage: countersign client list, create NAME, update ID, renew ID or delete ID. See countersign help client.'

/** `countersign client list | create | update | renew | delete`: clients of the OpenID provider. */
export async function runClient(given: Arguments): Promise<void> {
  const { words, options } = given
  const [what = '', named = '', ...more] = words
  const isList = what === 'list'
  if (!/^(list|create|update|renew|delete)$/.test(what) || more.length > 0 || isList !== (named === ''))
    throw new ConfigError(usage)
  const changes = readChanges(options)
  if (what === 'update' && Object.keys(changes).length === 0)
    throw new ConfigError('Pass what changes, such as --redirect. See countersign help client.')
  await withInstallation(given, async ({ call }, say) => {
    if (isList) {
      const { results } = await call('listOidcClients', {})
      if (options.json) say(JSON.stringify(results, null, 2))
      else say(results.map(describe).join('\n') || 'No clients.')
    } else if (what === 'create') {
      const kind = options.public ? 'public' : 'web'
      sayWithSecret(say, await call('createOidcClient', { redirectUris: [], ...changes, name: named, kind }))
    } else if (what === 'delete') {
      await call('deleteOidcClient', { clientId: named })
      say(`${named} was deleted, with all access that people gave it.`)
    } else {
      if (what === 'renew') await requireSecret(call, named)
      const change = what === 'renew' ? { renewSecret: true } : changes
      sayWithSecret(say, await call('updateOidcClient', { clientId: named, ...change }))
    }
  })
}

/** Only what was given: everything else of the client stays. */
function readChanges(options: Options): Omit<EndpointTypes['updateOidcClient']['input'], 'clientId' | 'renewSecret'> {
  const { name, redirect, afterSignOut, backchannelLogout, website, device, trusted, pairwise } = options
  return {
    ...(name !== undefined && { name }),
    ...(redirect !== undefined && { redirectUris: readList(redirect) }),
    ...(afterSignOut !== undefined && { postLogoutRedirectUris: readList(afterSignOut) }),
    ...(backchannelLogout !== undefined && { backchannelLogoutUri: backchannelLogout }),
    ...(website !== undefined && { website }),
    ...readSwitch('device', device),
    ...readSwitch('trusted', trusted, 'isTrusted'),
    ...readSwitch('pairwise', pairwise, 'isPairwise'),
  }
}

function readSwitch(option: string, value: string | undefined, field = option): Record<string, boolean> {
  if (value === undefined) return {}
  if (value !== 'on' && value !== 'off') throw new ConfigError(`--${option} must be on or off.`)
  return { [field]: value === 'on' }
}

async function requireSecret(call: Installation['call'], clientId: string): Promise<void> {
  const { results } = await call('listOidcClients', {})
  const client = results.find((each) => each.clientId === clientId)
  if (!client) throw new ConfigError(`Client not found: ${clientId}.`)
  if (client.kind === 'public') throw new ConfigError(`${client.name} is a public client, which has no secret.`)
}

function sayWithSecret(say: (line: string) => void, client: EndpointTypes['createOidcClient']['output']): void {
  say(describe(client))
  if (client.secret) say(`Client secret  ${client.secret}   (shown only once)`)
}

function describe({ clientId, name, kind, redirectUris, isTrusted, device, isRegistered, users }: OidcClientRecord) {
  const facts = [
    kind === 'web' ? 'with a secret' : 'public',
    ...(isTrusted ? ['trusted'] : []),
    ...(device ? ['device flow'] : []),
    ...(isRegistered ? ['self-registered'] : []),
    users === 1 ? '1 account' : `${users} accounts`,
    ...redirectUris,
  ]
  return `${clientId}  ${name}  ${facts.join(', ')}`
}
