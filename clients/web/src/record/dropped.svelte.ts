/** A file that somebody dropped anywhere on the page, until it is looked at. */
class Dropped {
  file = $state.raw<File | undefined>();

  take(): File | undefined {
    const { file } = this;
    this.file = undefined;
    return file;
  }
}

export const dropped = new Dropped();
