import type { Abi, AbiParameter } from 'viem'

type Kind = 'function' | 'event'

/** Functions and events of ERC-20, 721, 1155, 2612 and wrapped ether. Not made by a parser: viem is loaded on use. */
const signatures: readonly [Kind, string, string][] = [
  ['function', 'transfer', 'address to, uint256 value'],
  ['function', 'approve', 'address spender, uint256 value'],
  ['function', 'transferFrom', 'address from, address to, uint256 value'],
  [
    'function',
    'permit',
    'address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s',
  ],
  ['function', 'safeTransferFrom', 'address from, address to, uint256 tokenId'],
  ['function', 'safeTransferFrom', 'address from, address to, uint256 tokenId, bytes data'],
  ['function', 'setApprovalForAll', 'address operator, bool approved'],
  ['function', 'safeTransferFrom', 'address from, address to, uint256 id, uint256 value, bytes data'],
  ['function', 'safeBatchTransferFrom', 'address from, address to, uint256[] ids, uint256[] values, bytes data'],
  ['function', 'deposit', ''],
  ['function', 'withdraw', 'uint256 wad'],
  ['event', 'Transfer', 'address indexed from, address indexed to, uint256 value'],
  ['event', 'Transfer', 'address indexed from, address indexed to, uint256 indexed tokenId'],
  ['event', 'Approval', 'address indexed owner, address indexed spender, uint256 value'],
  ['event', 'Approval', 'address indexed owner, address indexed approved, uint256 indexed tokenId'],
  ['event', 'ApprovalForAll', 'address indexed owner, address indexed operator, bool approved'],
  [
    'event',
    'TransferSingle',
    'address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value',
  ],
  [
    'event',
    'TransferBatch',
    'address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values',
  ],
  ['event', 'URI', 'string value, uint256 indexed id'],
  ['event', 'Deposit', 'address indexed dst, uint256 wad'],
  ['event', 'Withdrawal', 'address indexed src, uint256 wad'],
  ['event', 'Sync', 'uint112 reserve0, uint112 reserve1'],
]

const readParameters = (text: string): (AbiParameter & { indexed?: boolean })[] =>
  text
    .split(', ')
    .filter(Boolean)
    .map((parameter) => {
      const words = parameter.split(' ')
      const [type = '', name = ''] = [words[0], words.at(-1)]
      return words.length === 3 ? { type, name, indexed: true } : { type, name }
    })

export const standardAbi = signatures.map(([type, name, inputs]) =>
  type === 'function'
    ? { type, name, inputs: readParameters(inputs), outputs: [], stateMutability: 'nonpayable' }
    : { type, name, inputs: readParameters(inputs) },
) as Abi
