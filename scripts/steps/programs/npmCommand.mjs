// Settings that a person's npm needs to reach their registry. Everything else from an outer `npm start` (its own flags,
// prefixes, workspace filters, the package's fields) would steer the inner npm.
const kept =
  /^npm_config_(registry|cache|userconfig|globalconfig|proxy|https?_proxy|noproxy|ca|cafile|strict_ssl|maxsockets|fetch_.*|offline|prefer_offline|@.*|\/\/.*)$/i

/**
 * How to run npm from a script that npm itself may have started.
 *
 * @param {string[]} parameters
 * @returns {{ command: string, parameters: string[], env: NodeJS.ProcessEnv }}
 */
export function npmCommand(parameters, environment = process.env) {
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name]) => kept.test(name) || !/^(npm_|init_cwd$)/i.test(name)),
  )
  const cli = environment.npm_execpath
  // Another package manager may have started the script; only npm reads this lockfile.
  if (cli && /npm-cli\.c?js$/.test(cli)) return { command: process.execPath, parameters: [cli, ...parameters], env }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', parameters, env }
}
