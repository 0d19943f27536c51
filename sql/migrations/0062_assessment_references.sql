-- References to assessments that have ended or are to come count no more as references to nothing: the register is
-- read anew with the next run, for its rows do not tell them apart.
update assessment_source set next_change_at = now();
