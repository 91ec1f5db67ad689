import { ponder } from 'ponder:registry'
import { transfer } from 'ponder:schema'

type Event = {
  id: string
  log: { address: `0x${string}`; logIndex: number }
  block: { number: bigint; hash: `0x${string}`; timestamp: bigint }
  transaction: { hash: `0x${string}`; transactionIndex: number }
}

const placeOf = ({ id, log, block, transaction }: Event) => ({
  id,
  token: log.address,
  block: Number(block.number),
  blockHash: block.hash,
  blockTime: Number(block.timestamp),
  transaction: transaction.hash,
  transactionIndex: transaction.transactionIndex,
  logIndex: log.logIndex,
})

ponder.on('Coin:Transfer', async ({ event, context }) => {
  const { from, to, value } = event.args
  await context.db.insert(transfer).values({ ...placeOf(event), kind: 'erc20', from, to, amount: value })
})

ponder.on('Picture:Transfer', async ({ event, context }) => {
  const { from, to, tokenId } = event.args
  await context.db.insert(transfer).values({ ...placeOf(event), kind: 'erc721', from, to, tokenId, amount: 1n })
})
