// Compiles contracts/*.sol and takes over what is used of Safe, into artifacts/*.json. Run by hand after a change of a
// contract; neither the compiler nor Safe's package is a dependency of the project:
//
//   npm install --prefix <folder> --ignore-scripts --legacy-peer-deps solc@0.8.30 @safe-global/safe-contracts@1.4.1
//   node packages/server/src/testing/chain/compile.mjs <folder>

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const folder = process.argv[2]
if (!folder) throw new Error('Name the folder that solc and @safe-global/safe-contracts are installed in.')
const load = createRequire(resolve(folder, 'package.json'))

const contracts = new URL('contracts/', import.meta.url)
const sources = Object.fromEntries(
  readdirSync(contracts).map((name) => [name, { content: readFileSync(new URL(name, contracts), 'utf8') }]),
)

const output = JSON.parse(
  load('solc').compile(
    JSON.stringify({
      language: 'Solidity',
      sources,
      settings: {
        evmVersion: 'paris',
        optimizer: { enabled: true, runs: 200 },
        metadata: { bytecodeHash: 'none', appendCBOR: false },
        outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
      },
    }),
  ),
)
const problems = output.errors ?? []
for (const { formattedMessage } of problems) process.stderr.write(formattedMessage)
if (problems.some(({ severity }) => severity === 'error')) process.exit(1)

const write = (name, artifact) =>
  writeFileSync(new URL(`artifacts/${name}.json`, import.meta.url), `${JSON.stringify(artifact, null, 2)}\n`)

for (const file of Object.values(output.contracts))
  for (const [name, { abi, evm }] of Object.entries(file))
    write(name, { license: 'MIT', abi, bytecode: `0x${evm.bytecode.object}` })

const safe = '@safe-global/safe-contracts'
const { version, license } = load(`${safe}/package.json`)
for (const path of [
  'Safe.sol/Safe',
  'proxies/SafeProxyFactory.sol/SafeProxyFactory',
  'handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler',
]) {
  const { contractName, abi, bytecode } = load(`${safe}/build/artifacts/contracts/${path}.json`)
  write(contractName, { license, source: `${safe} ${version}`, abi, bytecode })
}
