/** The Content-Type of a workbook (.xlsx), taken in and sent. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
