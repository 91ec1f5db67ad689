import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3'
import { accountOf } from './accountOf.mjs'
import { createRandom } from './createRandom.mjs'
import { encodeRlp, numberBytes } from './encodeRlp.mjs'

/**
 * @typedef {object} ChainShape
 * @property {number} blocks
 * @property {number} logs in each block, each in a transaction of its own
 * @property {number} [tokens]
 * @property {number} [accounts]
 * @property {number} [collectibles] how many of a hundred logs are of ERC-721 tokens, the rest being ERC-20
 * @property {number} [seed]
 * @property {number} [chainId]
 * @property {boolean} [logTimes] adds the time of the block to logs, like newer nodes
 */

/** @typedef {{ address: string, topics: string[], json: string }} SyntheticLog */
/** @typedef {{ number: number, hash: string, header: string, hashes: string, transactions: string, logs: SyntheticLog[] }} SyntheticBlock */

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const firstTime = 1_700_000_000
const empty = {
  uncles: '1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  root: '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
}

/** @param {string} text @param {number} bytes */
const digest = (text, bytes) =>
  `0x${createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, bytes * 2)}`
/** @param {number | bigint} value */
const quantity = (value) => `0x${value.toString(16)}`
/** @param {string} hex */
const bytesOf = (hex) => Buffer.from(hex.slice(2), 'hex')
/** @param {string} address */
const topicOf = (address) => `0x${address.slice(2).padStart(64, '0')}`

/**
 * A chain of transfers that is the same in every run and on every machine. Headers are hashed as real ones are (with
 * their true blooms), and each names the one before it; roots and transactions are of the right shape and no more.
 *
 * @param {ChainShape} shape
 */
export function createSyntheticChain({
  blocks: count,
  logs: perBlock,
  tokens: tokenCount = 50,
  accounts: accountCount = 5_000,
  collectibles = 20,
  seed = 1,
  chainId = 31_337,
  logTimes = false,
}) {
  const random = createRandom(seed)
  const accounts = Array.from({ length: accountCount }, (_, index) => accountOf(index, seed))
  const tokens = Array.from({ length: tokenCount }, (_, index) => digest(`token ${seed} ${index}`, 20))
  const pictures = Math.max(1, Math.floor((tokenCount * collectibles) / 100))
  const addToBloom = createBloomWriter()
  /** @type {SyntheticBlock[]} */
  const blocks = []
  let parent = `0x${'0'.repeat(64)}`

  for (let number = 0; number < count; number++) {
    const time = firstTime + number * 12
    const drafts = Array.from({ length: number === 0 ? 0 : perBlock }, (_, index) => {
      const isPicture = random(100) < collectibles
      const token = /** @type {string} */ (
        tokens[isPicture ? random(pictures) : pictures + random(tokenCount - pictures)]
      )
      const from = /** @type {string} */ (accounts[random(accountCount)])
      const to = /** @type {string} */ (accounts[random(accountCount)])
      const word = quantity(BigInt(random(2 ** 31)) * (isPicture ? 1n : 1_000_000_007n))
        .slice(2)
        .padStart(64, '0')
      const topics = [transferTopic, topicOf(from), topicOf(to), ...(isPicture ? [`0x${word}`] : [])]
      return {
        token,
        from,
        topics,
        data: isPicture ? '0x' : `0x${word}`,
        hash: digest(`tx ${seed} ${number} ${index}`, 32),
      }
    })
    const bloom = Buffer.alloc(256)
    for (const { token, topics } of drafts) for (const item of [token, ...topics]) addToBloom(bloom, item)
    const gas = drafts.length * 60_000
    const hash = `0x${Buffer.from(
      keccak_256(
        encodeRlp([
          bytesOf(parent),
          Buffer.from(empty.uncles, 'hex'),
          Buffer.alloc(20),
          bytesOf(digest(`state ${seed} ${number}`, 32)),
          bytesOf(digest(`transactions ${seed} ${number}`, 32)),
          bytesOf(digest(`receipts ${seed} ${number}`, 32)),
          bloom,
          Buffer.alloc(0),
          numberBytes(number),
          numberBytes(30_000_000),
          numberBytes(gas),
          numberBytes(time),
          Buffer.alloc(0),
          Buffer.alloc(32),
          Buffer.alloc(8),
          numberBytes(7),
        ]),
      ),
    ).toString('hex')}`
    const place = `"blockHash":"${hash}","blockNumber":"${quantity(number)}"`
    const timed = logTimes ? `,"blockTimestamp":"${quantity(time)}"` : ''
    blocks.push({
      number,
      hash,
      header: JSON.stringify({
        number: quantity(number),
        hash,
        parentHash: parent,
        nonce: '0x0000000000000000',
        sha3Uncles: `0x${empty.uncles}`,
        logsBloom: `0x${bloom.toString('hex')}`,
        transactionsRoot: digest(`transactions ${seed} ${number}`, 32),
        stateRoot: digest(`state ${seed} ${number}`, 32),
        receiptsRoot: digest(`receipts ${seed} ${number}`, 32),
        miner: `0x${'0'.repeat(40)}`,
        difficulty: '0x0',
        totalDifficulty: '0x0',
        extraData: '0x',
        mixHash: `0x${'0'.repeat(64)}`,
        size: '0x400',
        gasLimit: quantity(30_000_000),
        gasUsed: quantity(gas),
        timestamp: quantity(time),
        baseFeePerGas: '0x7',
        uncles: [],
      }).slice(0, -1),
      hashes: JSON.stringify(drafts.map((draft) => draft.hash)),
      transactions: `[${drafts
        .map(
          ({ token, from, hash: transaction }, index) =>
            `{${place},"hash":"${transaction}","transactionIndex":"${quantity(index)}","from":"${from}","to":"${token}",` +
            `"value":"0x0","nonce":"0x1","gas":"0xea60","gasPrice":"0x7","input":"0xa9059cbb","type":"0x0","v":"0x1b",` +
            `"r":"0x1","s":"0x1","chainId":"${quantity(chainId)}"}`,
        )
        .join(',')}]`,
      logs: drafts.map(({ token, topics, data, hash: transaction }, index) => ({
        address: token,
        topics,
        json:
          `{"address":"${token}","topics":${JSON.stringify(topics)},"data":"${data}",${place}${timed},` +
          `"transactionHash":"${transaction}","transactionIndex":"${quantity(index)}","logIndex":"${quantity(index)}","removed":false}`,
      })),
    })
    parent = hash
  }
  return { chainId, blocks, tokens, accounts, pictures: tokens.slice(0, pictures) }
}

/** Bits of the same address or topic are worked out once. */
function createBloomWriter() {
  /** @type {Map<string, number[]>} */
  const known = new Map()
  /** @param {Buffer} bloom @param {string} item */
  return (bloom, item) => {
    let bits = known.get(item)
    if (!bits) {
      const hash = keccak_256(bytesOf(item))
      bits = [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047)
      known.set(item, bits)
    }
    for (const bit of bits) bloom[255 - (bit >> 3)] = (bloom[255 - (bit >> 3)] ?? 0) | (1 << (bit & 7))
  }
}
