import { refuse } from '@countersign/protocol'
import type { Client, Grant, Interaction, Provider } from 'oidc-provider'
import { isNear } from '../clock/Clock.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint, type OutputOf } from '../endpoint/defineEndpoint.ts'
import type { Sent } from '../endpoint/Endpoint.ts'
import { recordActivity } from '../users/activity.ts'
import { notifyOwner } from '../users/email/notifyOwner.ts'
import { isOpenAccount } from './accountClaims.ts'
import { readAssurance } from './assurance.ts'
import { nameOf } from './clients.ts'
import { getProvider } from './getProvider.ts'
import { endAccessTokens, findGrant, saveGrant } from './grants.ts'
import { isBound } from './requestCookie.ts'

type Request = { provider: Provider; interaction: Interaction; client: Client; asked: Asked }

/** Scopes of a request: of OpenID Connect, and of the API that it is for. */
type Asked = { oidc: string[]; resource?: string; api: string[] }

async function readRequest(context: Context, uid: string, sent: Sent): Promise<Request> {
  if (!context.config.oidc.enabled || !isBound(context, uid, sent)) throw refuse('authorizationRequestExpired')
  const provider = await getProvider(context)
  const interaction = await provider.Interaction.find(uid)
  const client = interaction && (await findClient(provider, interaction))
  if (!interaction || !client) throw refuse('authorizationRequestExpired')
  return { provider, interaction, client, asked: await readAsked(context, interaction) }
}

async function findClient(provider: Provider, { params }: Interaction): Promise<Client | undefined> {
  return provider.Client.find(String(params.client_id))
}

const knownScopes = new Set(['openid', 'offline_access', 'profile', 'email', 'roles', 'wallets'])

async function readAsked(context: Context, { params }: Interaction): Promise<Asked> {
  const scopes = String(params.scope ?? '')
    .split(' ')
    .filter(Boolean)
  const oidc = scopes.filter((scope) => knownScopes.has(scope))
  const [resource] = [params.resource].flat()
  if (typeof resource !== 'string') return { oidc, api: [] }
  const { describeResource } = await import('./resources.ts')
  const { scope = '' } = describeResource(context, resource, scopes)
  const available = new Set(scope.split(' '))
  return { oidc, resource, api: scopes.filter((name) => available.has(name) && !knownScopes.has(name)) }
}

export const getAuthorizationRequestEndpoint = defineEndpoint('getAuthorizationRequest', {
  async handle({ context, caller, params: { uid }, sent }): Promise<OutputOf<'getAuthorizationRequest'>> {
    const { provider, interaction, client, asked } = await readRequest(context, uid, sent)
    const userId = caller.session?.userId
    const grant = userId === undefined ? undefined : await findGrant(context, provider, userId, client)
    const granted = listGranted(grant, asked)
    const { params, deviceCode } = interaction as Interaction & { deviceCode?: string }
    const code = deviceCode === undefined ? undefined : await provider.DeviceCode.find(deviceCode)
    return {
      client: { name: nameOf(client), host: hostOf(client, interaction), origin: originOf(client) },
      scopes: [...asked.oidc, ...asked.api],
      granted,
      ...(asked.resource !== undefined && { resource: asked.resource }),
      needs: needsOf(context, caller, { interaction, client, asked, granted }),
      ...(typeof params.login_hint === 'string' && { hint: params.login_hint.slice(0, 200) }),
      ...(code?.userCode !== undefined && { userCode: writeUserCode(code.userCode) }),
    }
  },
})

/**
 * Host that the person returns to. The client proves it by its redirect address, unlike its name. A device leads nowhere:
 * only an operator can say whose it is.
 */
function hostOf(client: Client, interaction: Interaction): string {
  const { redirectUris = [], clientUri } = client
  if (isOfDevice(interaction) && originOf(client) !== 'operator') return ''
  const { redirect_uri } = interaction.params
  const address = [redirect_uri, redirectUris[0], clientUri].find((uri) => typeof uri === 'string' && URL.canParse(uri))
  if (typeof address !== 'string') return ''
  const { host, protocol } = new URL(address)
  return host === '' ? protocol.slice(0, -1) : host
}

/** As the device shows it: stored codes have no hyphen. */
const writeUserCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4, 8)}`

const isOfDevice = (interaction: Interaction) => 'deviceCode' in interaction && interaction.deviceCode !== undefined

function originOf(client: Client): 'operator' | 'registered' | 'document' {
  if (client.clientId.startsWith('https://')) return 'document'
  return client.isRegistered ? 'registered' : 'operator'
}

function listGranted(grant: Grant | undefined, { oidc, resource, api }: Asked): string[] {
  if (!grant) return []
  const [own, ofApi] = [grant.getOIDCScope().split(' '), resource ? grant.getResourceScope(resource).split(' ') : []]
  return [...oidc.filter((scope) => own.includes(scope)), ...api.filter((scope) => ofApi.includes(scope))]
}

type Judged = Pick<Request, 'interaction' | 'client' | 'asked'> & { granted: string[] }

function needsOf(context: Context, caller: Caller, judged: Judged) {
  const { interaction, client, asked, granted } = judged
  if (!caller.session || caller.session.openedBy !== undefined) return 'signIn'
  if (!isConfirmed(context, caller, judged)) return 'confirmation'
  const isAsked = String(interaction.params.prompt ?? '')
    .split(' ')
    .includes('consent')
  const isOurs = interaction.params.countersign_offline === '1'
  const isGranted = [...asked.oidc, ...asked.api].every((scope) => granted.includes(scope))
  const isKnown = isGranted || Boolean(client.isTrusted)
  // A link that a person was made to open must not sign a device in.
  return isKnown && (!isAsked || isOurs) && !isOfDevice(interaction) ? 'nothing' : 'consent'
}

/**
 * An app may want a proof of the person, not an old session (`max_age`, `prompt=login`). Rights over data need one that
 * is as recent as for a change of sign-in methods. A session that was never confirmed gives nothing away.
 */
function isConfirmed(
  { clock, config }: Context,
  { session }: Caller,
  { interaction, asked, granted }: Judged,
): boolean {
  const { params, prompt } = interaction
  const confirmedAt = session?.confirmedAt ?? 0
  if (confirmedAt === 0) return false
  const limits = [
    params.max_age === undefined ? undefined : Number(params.max_age),
    prompt.reasons.includes('login_prompt') ? 120 : undefined,
    // A session below the level that the app wants is proven again. The token then states what was shown.
    prompt.reasons.includes('acr_values') ? 120 : undefined,
    asked.api.every((scope) => granted.includes(scope)) ? undefined : config.confirmationLength,
  ].filter((limit) => limit !== undefined)
  return limits.every((limit) => isNear(confirmedAt, clock.ms(), limit * 1000))
}

export const answerAuthorizationRequestEndpoint = defineEndpoint('answerAuthorizationRequest', {
  async handle({ context, caller, params: { uid }, input, sent }) {
    const { provider, interaction, client, asked } = await readRequest(context, uid, sent)
    if (!input.allow) {
      interaction.result = { error: 'access_denied', error_description: 'The person refused.' }
      await interaction.persist()
      return { location: interaction.returnTo }
    }
    const { session } = caller
    if (!session) throw refuse('invalidSessionToken')
    if (session.openedBy !== undefined) throw refuse('operatorForbidden')
    const found = await findGrant(context, provider, session.userId, client)
    const judged = { interaction, client, asked, granted: listGranted(found, asked) }
    if (!isConfirmed(context, caller, judged)) throw refuse('reauthenticationRequired')
    if (!(await isOpenAccount(context, session.userId))) throw refuse('accountLocked')
    const wanted = new Set(input.scopes ?? [...asked.oidc, ...asked.api])
    const grant = found ?? new provider.Grant({ accountId: session.userId, clientId: client.clientId })
    setScopes(grant, asked, wanted)
    const isNarrower = judged.granted.some((scope) => scope !== 'openid' && !wanted.has(scope))
    const grantId = await context.db.transaction(async () => {
      const id = await saveGrant(context, grant, client)
      if (isNarrower) await endAccessTokens(context, id)
      if (!found) await recordActivity(context, caller, session.userId, 'connectApp', { app: nameOf(client) })
      return id
    })
    if (!found) notifyOwner(context, session.userId, (say) => say('connectedApp', { app: nameOf(client) }))
    interaction.result = {
      login: {
        accountId: session.userId,
        ts: Math.floor(session.confirmedAt / 1000),
        remember: true,
        ...(await readAssurance(context, session.objectId)),
      },
      consent: { grantId },
      // Not of the library: the session that the provider's own ends with.
      accountSession: session.objectId,
    }
    await interaction.persist()
    return { location: interaction.returnTo }
  },
})

/**
 * Adds the wanted scopes to the grant, and removes the others that were asked for: a later consent must not bring them
 * back. They are noted as refused, so that the provider does not ask for them again in this request.
 */
function setScopes(grant: Grant, { oidc, resource, api }: Asked, wanted: ReadonlySet<string>): void {
  const isWanted = (scope: string) => wanted.has(scope) || scope === 'openid'
  const merge = (held: string | undefined, asked: string[]) => {
    const kept = (held ?? '').split(' ').filter((scope) => scope !== '' && !asked.includes(scope))
    return [...kept, ...asked.filter(isWanted)].join(' ')
  }
  const refused = (asked: string[]) => asked.filter((scope) => !isWanted(scope)).join(' ')
  grant.rejected = undefined as never
  grant.openid = { ...grant.openid, scope: merge(grant.openid?.scope, oidc) }
  grant.rejectOIDCScope(refused(oidc))
  if (resource === undefined) return
  grant.resources = { ...grant.resources, [resource]: merge(grant.resources?.[resource], api) }
  grant.rejectResourceScope(resource, refused(api))
}
