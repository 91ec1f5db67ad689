import { resolve } from 'node:path'
import type { WireFields, WireValue } from '@countersign/protocol'
import type { AuthSetting } from '../config/authSettings.ts'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readProviderSettings } from '../config/providerSettings.ts'
import { createProviderClient, type ProviderClient } from './createProviderClient.ts'

/** A user as an adapter gets it: its fields, with all that is kept of `authData`. */
export type AdapterUser = { id: string; get(name: string): unknown; toJSON(): WireFields }

/** Request data for an adapter. */
export type AdapterRequest = {
  ip: string
  master: boolean
  installationId?: string
  /** User of the session. */
  user?: AdapterUser
  /** Owner of the identity, before the request. */
  original?: AdapterUser
  object?: AdapterUser
  isChallenge?: true
}

/** Result of an adapter's function: a response for the client, and the data to store instead of the sent data. */
export type AdapterAnswer = { response?: WireValue; save?: WireFields; doNotSave?: boolean } | undefined

type Validate = (authData: WireFields, options: object, request: AdapterRequest) => unknown

/** Functions of a provider, as written for the older server. Each may return a promise. */
export type AuthAdapter = {
  validateAuthData?: Validate
  validateSetUp?: Validate
  validateLogin?: Validate
  validateUpdate?: Validate
  validateAppId?: (appIds: unknown, authData: WireFields, options: object, request: AdapterRequest) => unknown
  challenge?: (
    challengeData: WireValue,
    authData: WireFields | undefined,
    options: object,
    request: AdapterRequest,
  ) => unknown
  afterFind?: (request: AdapterRequest, authData: WireFields, options: object) => unknown
  validateOptions?: (options: object) => unknown
  /**
   * `default` signs in alone; `additional` never does, and is required in addition to another; `solo` signs in alone
   * and needs no additional one.
   */
  policy?: 'default' | 'solo' | 'additional'
}

export type Provider = {
  name: string
  adapter: AuthAdapter
  options: AuthSetting
  policy: 'default' | 'solo' | 'additional'
  /** Of OpenID Connect and OAuth 2: how the server itself asks the provider. */
  client?: ProviderClient
  farcaster?: Farcaster
}

/** Contract that registers Farcaster ids. */
export type Farcaster = {
  chain: number
  registry: string
  /** The service that takes our pages to a person's Farcaster app. */
  relay?: string
}

const lifeCycle = ['validateSetUp', 'validateLogin', 'validateUpdate'] as const

/** Loads the adapters of the setting `auth`, and reports errors before anybody signs in. */
export async function loadAuthAdapters({
  auth,
  production,
  chains,
}: Pick<Config, 'auth' | 'production' | 'chains'>): Promise<ReadonlyMap<string, Provider>> {
  const providers = new Map<string, Provider>()
  for (const [name, options] of Object.entries(auth)) {
    if (options.enabled === false || isBuiltInMfa(name, options)) continue
    const ready = createFarcaster(name, options, chains, production) ?? createReadyProvider(name, options, production)
    if (ready) {
      providers.set(name, ready)
      continue
    }
    const adapter = await loadAdapter(name, options)
    const policy = adapter.policy ?? 'default'
    if (!['default', 'solo', 'additional'].includes(policy))
      throw new ConfigError(`auth.${name}: policy must be 'default', 'solo' or 'additional'.`)
    const isWhole =
      typeof adapter.validateAuthData === 'function' || lifeCycle.every((each) => typeof adapter[each] === 'function')
    if (!isWhole)
      throw new ConfigError(
        `auth.${name}: the adapter needs validateAuthData, or validateSetUp, validateLogin and validateUpdate. Name its file in module (docs/auth-adapters.md), or set type: 'oidc' (docs/sign-in-providers.md).`,
      )
    await validateOptions(name, adapter, options)
    providers.set(name, { name, adapter, options, policy })
  }
  return providers
}

/** `{ options: ['TOTP'] }` names the second factor that is built in. */
function isBuiltInMfa(name: string, { module, options, ...rest }: AuthSetting): boolean {
  if (name !== 'mfa' || module !== undefined || !Array.isArray(options) || 'validateAuthData' in rest) return false
  if (!options.includes('TOTP'))
    throw new ConfigError("auth.mfa: options must include 'TOTP'. Codes by SMS need your own adapter in module.")
  return true
}

/** The relay that Farcaster itself runs. */
const farcasterRelay = 'https://relay.farcaster.xyz'

const farcasterRegistry = { chain: 10, registry: '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b' }

/** Sign In With Farcaster is built in, unless the operator has an adapter of that name. */
function createFarcaster(
  name: string,
  options: AuthSetting,
  chains: Config['chains'],
  production: boolean,
): Provider | undefined {
  const { chain = farcasterRegistry.chain, registry, relay = false, enabled: _on, ...rest } = options
  if (name !== 'farcaster' || Object.keys(rest).length > 0) return undefined
  if (!chains.some(({ id }) => id === chain))
    throw new ConfigError(
      `auth.farcaster: ids are checked on chain ${String(chain)}. Add a node of this chain to chains (docs/sign-in-providers.md).`,
    )
  if (registry === undefined && chain !== farcasterRegistry.chain)
    throw new ConfigError('auth.farcaster: set registry to the address of the registry contract, unless chain is 10.')
  const address = registry ?? farcasterRegistry.registry
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address))
    throw new ConfigError('auth.farcaster: registry must be the address of a contract.')
  const origin = readRelay(relay, production)
  const farcaster = { chain: chain as number, registry: address.toLowerCase(), ...(origin && { relay: origin }) }
  return { name, adapter: { afterFind: (_request, { id }) => ({ id }) }, options, policy: 'default', farcaster }
}

/** An origin alone, since it becomes part of the content security policy. */
function readRelay(relay: unknown, production: boolean): string | undefined {
  if (relay === false) return undefined
  if (relay === true) return farcasterRelay
  const url = typeof relay === 'string' && URL.canParse(relay) ? new URL(relay) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && !production)
  if (!url || !isSafe || (relay !== url.origin && relay !== `${url.origin}/`))
    throw new ConfigError('auth.farcaster: relay must be true, or an origin such as https://relay.example.com.')
  return url.origin
}

/** Seconds after which an ID token no longer confirms a session or links to one. */
const freshToken = 900

/** A provider that the server asks itself, by OpenID Connect or OAuth 2. Its adapter takes ID tokens of native apps. */
function createReadyProvider(name: string, options: AuthSetting, production: boolean): Provider | undefined {
  try {
    const settings = readProviderSettings(name, options)
    if (!settings) return undefined
    const client = createProviderClient(settings, production)
    const prove = async (authData: WireFields, request: AdapterRequest) => {
      const { id, id_token: token, nonce } = authData
      if (typeof token !== 'string') throw new Error(`authData.${name} needs an id_token.`)
      // A token lives long. For an open session it must be new.
      const maxAge = request.user ? Math.min(freshToken, settings.maxTokenAge) : settings.maxTokenAge
      const profile = await client.verifyIdToken(token, { maxAge, ...(typeof nonce === 'string' && { nonce }) })
      if (profile.id !== id) throw new Error('The ID token belongs to another user.')
      return profile
    }
    const adapter: AuthAdapter = {
      // The token itself is not kept: it would open the account to who reads it.
      validateSetUp: async (authData, _options, request) => ({ save: { ...(await prove(authData, request)) } }),
      validateUpdate: async (authData, _options, request) => ({ save: { ...(await prove(authData, request)) } }),
      async validateLogin(authData, _options, request) {
        await prove(authData, request)
        return { doNotSave: true }
      },
      afterFind: (_request, { id }) => ({ id }),
    }
    return { name, adapter, options, policy: settings.policy, client }
  } catch (cause) {
    throw new ConfigError(`auth.${name}: ${(cause as Error).message}`, { cause })
  }
}

async function validateOptions(name: string, adapter: AuthAdapter, options: AuthSetting): Promise<void> {
  try {
    await adapter.validateOptions?.(options)
  } catch (cause) {
    throw new ConfigError(`auth.${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

async function loadAdapter(name: string, options: AuthSetting): Promise<AuthAdapter> {
  const { module } = options
  const found = typeof module === 'string' ? await importAdapter(name, module) : (module ?? options)
  if (typeof found === 'function') return build(found, options) as AuthAdapter
  if (found !== null && typeof found === 'object') return found as AuthAdapter
  throw new ConfigError(`auth.${name}: module must be an adapter, an adapter class, or the path of its file.`)
}

/** A class, or a function that makes the adapter. */
function build(made: unknown, options: AuthSetting): unknown {
  const isClass = /^class\b/.test(Function.prototype.toString.call(made))
  return isClass
    ? Reflect.construct(made as new (options: AuthSetting) => object, [options])
    : (made as (options: AuthSetting) => unknown)(options)
}

async function importAdapter(name: string, path: string): Promise<unknown> {
  try {
    const { createJiti } = await import('jiti')
    const jiti = createJiti(`${process.cwd()}/`, { interopDefault: true })
    return await jiti.import(/^[./]/.test(path) ? resolve(path) : path, { default: true })
  } catch (cause) {
    throw new ConfigError(`auth.${name}: ${path} cannot be loaded: ${(cause as Error).message}`, { cause })
  }
}
