import { z } from 'zod'

/** Of a device that a push goes to. */
export type PushDevice = { objectId: string; deviceType: string; deviceToken: string; [field: string]: unknown }

/** Result of an adapter for each device. */
export type PushResult = {
  transmitted: boolean
  device?: { deviceType?: string; deviceToken?: string }
  response?: unknown
}

/** Sends pushes to devices of its types, as adapters of the older server do. */
export type PushAdapter = {
  send(
    push: { data: object; [field: string]: unknown },
    devices: PushDevice[],
    pushStatusId: string,
  ): Promise<PushResult[]>
  getValidPushTypes?(): string[]
}

const adapter = z.custom<PushAdapter>(
  (value) => typeof (value as PushAdapter | null)?.send === 'function',
  'must be an adapter: an object with the function send',
)

/** The push services of the browsers: Chrome and its relatives, Firefox, Safari, Edge. */
const browserHosts = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

const key = (bytes: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be base64url')
    .refine((text) => Buffer.from(text, 'base64url').length === bytes, `must be ${bytes} bytes long`)

/** Push services. */
export const pushSchema = z.strictObject({
  /** For devices of its types. */
  adapter: adapter.optional(),
  /** Web Push: browsers that subscribed by `usePush`. `countersign keys push` creates the keys. */
  web: z
    .strictObject({
      publicKey: key(65),
      privateKey: key(32),
      /** Contact for push services: `mailto:` with an address, or an https URL. */
      subject: z
        .string()
        .regex(/^(mailto:\S+@\S+|https:\/\/\S+)$/, 'must be mailto:… or https://…')
        .max(300),
      /** Hosts that pushes are posted to; a leading `*.` stands for any name below it. */
      hosts: z
        .array(z.string().regex(/^(\*\.)?[a-z0-9.-]{1,253}$/, 'must be a host in lower case'))
        .default(browserHosts),
    })
    .optional(),
})
