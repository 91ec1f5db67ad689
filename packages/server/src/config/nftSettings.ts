import { z } from 'zod'

const webUrl = z.url({ protocol: /^https?$/, error: 'must be a full http:// or https:// address' })
const flag = z.union([z.boolean(), z.enum(['true', 'false', 'on', 'off', '1', '0'])]).transform((value) => {
  return typeof value === 'boolean' ? value : value === 'true' || value === 'on' || value === '1'
})
const folder = webUrl.transform((url) => (url.endsWith('/') ? url : `${url}/`))

/** Fetching of NFT metadata, whose URL the minter chooses. */
export const nftSchema = z.strictObject({
  /** Fetches metadata. A `data:` URI is read either way. */
  fetch: flag.default(true),
  /** Gateway for ipfs://; the content id is appended. May be in a private network. */
  gateway: folder.default('https://ipfs.io/ipfs/'),
  /** Gateway for ar://. */
  arweaveGateway: folder.default('https://arweave.net/'),
  /** Bytes that one document may have. */
  maxSize: z
    .number()
    .int()
    .min(1024)
    .max(16 * 1024 * 1024)
    .default(256 * 1024),
  /** Milliseconds that a document may take, with all its redirects. */
  timeout: z.number().int().min(100).max(60_000).default(10_000),
  /** Documents that one server fetches at once; a host, and a caller, may have a quarter of them. */
  concurrency: z.number().int().min(1).max(64).default(24),
  /** Seconds after which metadata is fetched again when somebody asks for it. */
  keepFor: z
    .number()
    .int()
    .min(1)
    .default(7 * 24 * 3600),
  /** Seconds after which a fetch that failed is tried again when somebody asks for it. */
  retryAfter: z.number().int().min(1).default(600),
  /** Hosts that may be asked besides the two gateways, by their exact names; every one of the internet unless set. */
  hosts: z.array(z.string().trim().toLowerCase().min(1).max(253)).max(1_000).optional(),
  /** Allows metadata from this machine and private networks. Only for tests and closed networks. */
  allowPrivateAddresses: flag.default(false),
})

export type NftSettings = z.output<typeof nftSchema>
