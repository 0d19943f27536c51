/** `--name=value` of the command line; undefined when it is not given. */
export function option(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1];
}
