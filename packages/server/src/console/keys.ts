import { CountersignError, type EndpointTypes, type KeyList } from '@countersign/protocol'
import { ConfigError } from '../config/ConfigError.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { findKeptKeys, takeKeys } from '../keys/loadKeys.ts'
import { retireKeys, rotateKeys } from './rotateKeys.ts'

declare module '../context/Context.ts' {
  interface Services {
    isChangingKeys?: boolean
  }
}

type Rotated = EndpointTypes['rotateKeys']['output']

/** Keys by name and origin. Public ones are shown, secrets never. */
function listKeys({ config, keys }: Context): KeyList {
  const source = (name: 'appId' | 'javascriptKey' | 'masterKey') =>
    config[name] === undefined ? ('made' as const) : ('configuration' as const)
  return {
    isRotating: keys.formerSecret !== undefined,
    results: [
      { name: 'appId', source: source('appId'), value: keys.appId, hasFormer: false },
      { name: 'javascriptKey', source: source('javascriptKey'), value: keys.javascriptKey, hasFormer: false },
      { name: 'masterKey', source: source('masterKey'), hasFormer: keys.formerMasterKey !== undefined },
      { name: 'secret', source: 'made', hasFormer: keys.formerSecret !== undefined },
    ],
  }
}

/**
 * Creates a new secret and, unless the configuration names it, a new master key, and encrypts everything again. The
 * former keys stay valid until they are revoked. The new master key is only in the response to this request.
 */
export async function rotateConsoleKeys(context: Context, patience?: number): Promise<Rotated> {
  const isNew = context.keys.formerSecret === undefined
  const { masterKey, ...counts } = await change(context, () => placeOf(context, patience).then(rotateKeys))
  return { ...counts, ...(isNew && masterKey !== undefined && { masterKey }) }
}

/** Makes the former keys void. */
export function retireConsoleKeys(context: Context): Promise<Rotated> {
  return change(context, () => placeOf(context).then(retireKeys))
}

/** The keys are where those are that this server uses: in the database, else in the file beside it. */
async function placeOf(context: Context, patience?: number) {
  const { config, db, keys } = context
  const isFile = (await findKeptKeys(config, db)).secret !== keys.secret
  if (isFile && (await findKeptKeys(config)).secret !== keys.secret) {
    throw new ConfigError('The keys of this server were changed elsewhere. Restart it first.')
  }
  return {
    db,
    config,
    isFile,
    ...(patience !== undefined && { patience }),
    onSaved: (kept: Parameters<typeof takeKeys>[1]) => takeKeys(context, kept),
  }
}

/** Two concurrent rotations would each create a secret that the other does not have. The database checks this too. */
async function change<Result>({ services }: Context, work: () => Promise<Result>): Promise<Result> {
  if (services.isChangingKeys) {
    throw new CountersignError('CommandUnavailable', 'A key rotation is in progress. Try again when it has finished.', {
      status: 409,
    })
  }
  services.isChangingKeys = true
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new CountersignError('CommandUnavailable', error.message, { status: 409, cause: error })
  } finally {
    services.isChangingKeys = false
  }
}

export const listKeysEndpoint = defineEndpoint('listKeys', { handle: async ({ context }) => listKeys(context) })

export const rotateKeysEndpoint = defineEndpoint('rotateKeys', { handle: ({ context }) => rotateConsoleKeys(context) })

export const retireKeysEndpoint = defineEndpoint('retireKeys', { handle: ({ context }) => retireConsoleKeys(context) })
