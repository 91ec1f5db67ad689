import { z } from 'zod'

const webUrl = z.url({ protocol: /^https?$/, error: 'must be a full http:// or https:// address' })
const mimeType = z.string().regex(/^[a-z]+\/([a-z0-9.+-]+|\*)$/, 'must look like image/png or image/*')

const mebibyte = 1024 * 1024

/** Types that no browser carries out, even where everything else fails. Markup and scripts are not among them. */
const harmlessTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/bmp',
  'image/tiff',
  'audio/*',
  'video/*',
  'font/*',
  'application/pdf',
  'application/json',
  'application/zip',
  'application/gzip',
  'application/x-7z-compressed',
  'application/vnd.ms-office',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/octet-stream',
  'text/plain',
  'text/csv',
  'text/markdown',
  'model/gltf-binary',
]

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== undefined
  } catch {
    return false
  }
}

export const fileUploadSchema = z.strictObject({
  enableForPublic: z.boolean().default(false),
  enableForAnonymousUser: z.boolean().default(false),
  enableForAuthenticatedUser: z.boolean().default(true),
  /** Types that may be uploaded, judged by what is in the file. The master key may upload any. */
  allowedTypes: z.array(mimeType).default(harmlessTypes),
  /**
   * Endings of names besides the usual ones of the allowed types: `gpx`, `*` for all, or a regular expression such as
   * `^(?!html?$)`. What is in the file is judged by `allowedTypes` all the same.
   */
  fileExtensions: z
    .array(
      z
        .string()
        .min(1)
        .max(200)
        .refine((text) => text === '*' || isPattern(text), 'must be an ending such as gpx, *, or a regular expression'),
    )
    .max(200)
    .default([]),
})

export const s3Schema = z.strictObject({
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  region: z.string().min(1).default('us-east-1'),
  /** Of a storage other than Amazon's own. */
  endpoint: webUrl.optional(),
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  sessionToken: z.string().min(1).optional(),
  /** Put before every name. */
  prefix: z
    .string()
    .regex(/^([A-Za-z0-9._-]+\/)*$/, 'must be a folder path such as countersign/files/')
    .default(''),
})

export const filesSchema = z
  .strictObject({
    /** Unless set: the data folder beside the embedded database, else PostgreSQL. */
    store: z.enum(['disk', 'database', 's3']).optional(),
    /** Of the store `disk`. Unless set: `files` in the data folder. */
    folder: z.string().min(1).optional(),
    s3: s3Schema.optional(),
    /** Largest file that is sent as it is or in a form, in bytes. What travels inside JSON is held to `maxUploadSize`. */
    maxStreamSize: z
      .number()
      .int()
      .positive()
      .default(1024 * mebibyte),
    /** Seconds that an upload may take. */
    uploadTimeout: z.number().int().min(1).max(86_400).default(3_600),
    /** Edges, in pixels, of the previews of images; a request gets the next one up. None: no previews. */
    previewSizes: z.array(z.number().int().min(16).max(4096)).max(10).default([64, 128, 256, 512, 1024]),
    /** Pixels of the largest image that a preview is made of: a small file may hold a picture that fills the memory. */
    previewPixels: z.number().int().positive().default(50_000_000),
  })
  .refine(({ store, s3 }) => store !== 's3' || s3 !== undefined, {
    path: ['s3'],
    message: 'is required for the store s3: { bucket, region, accessKeyId, secretAccessKey }',
  })

export const ipfsSchema = z.strictObject({
  /** The RPC address of a Kubo node, or of a service that speaks like one, such as http://127.0.0.1:5001 */
  url: webUrl,
  /** Sent as `Authorization`. */
  authorization: z.string().min(1).optional(),
  /** Gateway for clients to read pinned content; the content id is appended. */
  gateway: webUrl.default('https://ipfs.io/ipfs/'),
  /** Seconds that the node may take. */
  timeout: z.number().int().min(1).max(3_600).default(300),
})
