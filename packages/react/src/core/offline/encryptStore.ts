import { ValidationError } from '../errors/errors.ts'
import { PasskeyError } from '../errors/PasskeyError.ts'
import type { OfflineStore } from './OfflineStore.ts'

/** An item as it is stored: encrypted text, and the bytes of files in it. */
type Sealed = {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly data: ArrayBuffer
  readonly files: readonly SealedFile[]
}
type SealedFile = { readonly iv: Uint8Array<ArrayBuffer>; readonly data: ArrayBuffer; readonly type: string }

/**
 * Encrypts what a store keeps with AES-GCM. Names of classes and ids of documents stay readable. The key is asked for
 * when the store is first read, and is in memory only.
 *
 * @example
 * import { createPasskeyKey, encryptStore, offline, openIndexedDb } from '@countersign/react/offline'
 *
 * const store = encryptStore(openIndexedDb(), createPasskeyKey())
 * const client = createClient({ appId: 'my-app', serverUrl: '/server', offline: offline({ classes: ['Note'], store }) })
 */
export function encryptStore(store: OfflineStore, getKey: () => Promise<CryptoKey>): OfflineStore {
  return {
    async list(from, to) {
      const items = await store.list(from, to)
      if (items.length === 0) return []
      const key = await getKey()
      return Promise.all(items.map(async ([name, item]) => [name, await open(key, name, item as Sealed)] as const))
    },
    async write(changes) {
      const key = await getKey()
      await store.write(
        await Promise.all(
          changes.map(
            async ([name, value]) => [name, value === undefined ? value : await seal(key, name, value)] as const,
          ),
        ),
      )
    },
    clear: store.clear,
    ...(store.isKept && { isKept: store.isKept }),
  }
}

const encoder = /*#__PURE__*/ new TextEncoder()

/** Bound to the name of the item, so that nobody who can write to the disk moves a value to another item. */
async function encrypt(key: CryptoKey, name: string, bytes: BufferSource) {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return {
    iv,
    data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: encoder.encode(name) }, key, bytes),
  }
}

async function seal(key: CryptoKey, name: string, value: unknown): Promise<Sealed> {
  const blobs: Blob[] = []
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return { __bigint: String(part) }
    return part instanceof Blob ? { __blob: blobs.push(part) - 1 } : part
  })
  const files = blobs.map(async (blob, index) => {
    const sealed = await encrypt(key, `${name} ${index}`, await blob.arrayBuffer())
    return { ...sealed, type: blob.type }
  })
  return { ...(await encrypt(key, name, encoder.encode(text))), files: await Promise.all(files) }
}

async function open(key: CryptoKey, name: string, { iv, data, files }: Sealed): Promise<unknown> {
  const decrypt = (place: string, part: Pick<Sealed, 'iv' | 'data'>) =>
    crypto.subtle.decrypt({ name: 'AES-GCM', iv: part.iv, additionalData: encoder.encode(place) }, key, part.data)
  try {
    const blobs = await Promise.all(
      files.map(async (file, index) => new Blob([await decrypt(`${name} ${index}`, file)], { type: file.type })),
    )
    return JSON.parse(new TextDecoder().decode(await decrypt(name, { iv, data })), (_, part) => {
      if (typeof part?.__bigint === 'string') return BigInt(part.__bigint)
      return typeof part?.__blob === 'number' ? blobs[part.__blob] : part
    })
  } catch {
    throw new ValidationError(
      'The data on this device was encrypted with another key.',
      'Unlock it with the same passkey.',
    )
  }
}

/**
 * A key for `encryptStore` that a passkey of this page makes (PRF extension of WebAuthn): the browser asks for the passkey
 * once a page, and the key is never stored or sent. Rejects with a `PasskeyError` where the passkey makes none.
 *
 * @example
 * import { createPasskeyKey } from '@countersign/react/offline'
 *
 * const getKey = createPasskeyKey()
 * // From a click, as browsers demand it.
 * const unlock = () => getKey()
 */
export function createPasskeyKey(): () => Promise<CryptoKey> {
  let key: Promise<CryptoKey> | undefined
  return () => {
    key ??= askForKey().catch((error) => {
      // The next use asks again.
      key = undefined
      throw error
    })
    return key
  }
}

const purpose = /*#__PURE__*/ encoder.encode('Countersign: documents on this device')

async function askForKey(): Promise<CryptoKey> {
  // No server sees the response, so the challenge proves nothing to anyone.
  const challenge = crypto.getRandomValues(new Uint8Array(32))
  const extensions = { prf: { eval: { first: purpose } } }
  const credential = await navigator.credentials
    .get({ publicKey: { challenge, userVerification: 'required', extensions } })
    .catch((cause: Error) => {
      throw new PasskeyError(cause)
    })
  const { prf } = (credential as PublicKeyCredential).getClientExtensionResults()
  if (!prf?.results) throw new PasskeyError('passkeyUnsupported')
  const secret = await crypto.subtle.importKey('raw', prf.results.first, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: purpose }
  return crypto.subtle.deriveKey(derivation, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
