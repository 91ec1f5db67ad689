/** File in the data folder with the port of the server that holds it, for commands on the same machine. */
export const portFile = 'port'
