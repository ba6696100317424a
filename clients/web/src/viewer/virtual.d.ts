/** Made by `vite.viewer.config.ts`: the files of the library, in gzip and base64, by their names. */
declare module "virtual:library" {
  const packed: Readonly<Record<string, string>>;
  export default packed;
}
