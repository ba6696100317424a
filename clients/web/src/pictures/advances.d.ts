/** Made by `vite.pictures.config.ts`: how far letters advance in a size of 1, by their code points. */
declare module "virtual:advances" {
  const advances: {
    readonly regular: Readonly<Record<number, number>>;
    readonly bold: Readonly<Record<number, number>>;
  };
  export default advances;
}
