import { defineTransfers } from '../chain/defineTransfers.mjs'

let asked = 0

export const workload = defineTransfers(
  {
    name: 'chainTransfersNew',
    order: 22,
    title: 'Transfers from the index, never asked for',
    about: 'The same with a bound that no question had before, so that each is looked up in the database and counted.',
  },
  () => {
    asked += 1
    return `&toBlock=${1_000_000 + asked}`
  },
)
