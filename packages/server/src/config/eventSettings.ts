import { z } from 'zod'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
  .transform((text) => text.toLowerCase())

const parameterName = z.string().regex(/^[A-Za-z_$][\w$]{0,99}$/, 'must be the name of a parameter of the event')

const fieldName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, 'must be the name of a field')

/** `event Sold(address indexed seller, uint256 price)`, or the name of one of the ABI. */
const signature = z.string().min(1).max(2_000)

/** As a compiler writes it: a list of items, one item, or the text of either. */
const abi = z.union([
  z.string().max(1_000_000),
  z.array(z.record(z.string(), z.unknown())).max(2_000),
  z.record(z.string(), z.unknown()),
])

const filterValue = z.union([z.string().max(200), z.number().int(), z.boolean()])

export const syncedTypes = ['String', 'Number', 'Boolean', 'Date'] as const

/** An event of contracts whose logs become objects of a class. */
export const eventSchema = z.strictObject({
  /** Its name among those of the chain; class and event unless set. */
  name: z
    .string()
    .regex(/^[A-Za-z][\w.-]{0,99}$/, 'must start with a letter and contain only letters, digits, dots and hyphens')
    .optional(),
  /** The class that holds the rows. */
  class: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, 'must be the name of a class'),
  event: signature.optional(),
  abi: abi.optional(),
  contracts: z.array(address).min(1).max(1_000).optional(),
  /** Contracts that others make: those that `parameter` of the event names. */
  factory: z
    .strictObject({
      contracts: z.array(address).min(1).max(100),
      event: signature.optional(),
      abi: abi.optional(),
      parameter: parameterName,
    })
    .optional(),
  /** Values that parameters must have, one or several each. */
  filter: z.record(parameterName, z.union([filterValue, z.array(filterValue).min(1).max(100)])).optional(),
  /** The first block that is read; `latest` for what happens from now on. */
  startBlock: z.union([z.number().int().min(0), z.literal('latest')]).optional(),
  fields: z
    .strictObject({
      /** Fields by the parameters that they hold. */
      rename: z.record(parameterName, fieldName).default({}),
      /** Types of fields, by parameter, where the usual one does not do. */
      types: z.record(parameterName, z.enum(syncedTypes)).default({}),
      /** `block_number`, `transaction_hash` and so on, as the older service called them. */
      olderNames: z.boolean().default(false),
    })
    .prefault({}),
  /** Parameters that name the wallets whose owners may read a row; everyone may unless it is set. */
  owner: z.union([parameterName, z.array(parameterName).min(1).max(4)]).optional(),
  /** Lets everyone read the rows. Default: true without an `owner`. */
  public: z.boolean().optional(),
})

export type EventSettings = z.output<typeof eventSchema>
