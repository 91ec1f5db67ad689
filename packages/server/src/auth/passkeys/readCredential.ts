import type { WireValue } from '@countersign/protocol'
import { z } from 'zod'
import { refused } from '../proveAccount.ts'

const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/)

/** The parts of WebAuthn's JSON that we read, with bounds that no honest authenticator comes near. */
const common = { id: bytes(1400), rawId: bytes(1400), type: z.literal('public-key') }
const clientDataJSON = bytes(8_000)

const attestation = z.object({
  ...common,
  response: z.object({
    clientDataJSON,
    attestationObject: bytes(64_000),
    transports: z.array(z.string()).catch([]),
  }),
})

const assertion = z.object({
  ...common,
  response: z.object({
    clientDataJSON,
    authenticatorData: bytes(8_000),
    signature: bytes(8_000),
    userHandle: bytes(200).nullish(),
  }),
})

/** What the browser says it was asked. Nothing of it is believed before the signature over it is verified. */
const clientData = z.object({
  challenge: bytes(200),
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.undefined().optional(),
})

export type Attestation = z.output<typeof attestation>
export type Assertion = z.output<typeof assertion>
type Read<Credential> = { credential: Credential; nonce: string }

export function readAttestation(value: WireValue | undefined): Read<Attestation> {
  const { data: credential } = attestation.safeParse(value)
  if (!credential) throw refused('This is not a new passkey as a browser gives it.')
  return { credential, nonce: readNonce(credential.response) }
}

export function readAssertion(value: WireValue | undefined): Read<Assertion> {
  const { data: credential } = assertion.safeParse(value)
  if (!credential) throw refused('This is not the answer of a passkey as a browser gives it.')
  return { credential, nonce: readNonce(credential.response) }
}

/** Within a frame of another site the person cannot see who asks, so that is refused. */
function readNonce({ clientDataJSON: encoded }: { clientDataJSON: string }): string {
  const { data } = clientData.safeParse(parse(Buffer.from(encoded, 'base64url').toString('utf8')))
  if (!data) throw refused('The passkey was not asked by this page.')
  return data.challenge
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
