import { defineTransfers } from '../chain/defineTransfers.mjs'

export const workload = defineTransfers({
  name: 'chainTransfers',
  order: 21,
  title: 'Transfers from the index',
  about: 'The newest 20 of about 200 transfers of one of a hundred addresses, as asked for before at this block.',
})
